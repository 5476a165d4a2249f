import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { DOCUMENTO_REMOVIDO } from '../apagamento/apagamento.types.ts';
import type { DoTitular, ExportacaoDoTitular, LinhaExportada } from './exportacao.types.ts';
import { SECOES } from './secoes.ts';

export interface ExportacaoDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

const DE_QUEM = columns<{ nome: string; cpf_cnpj: string }>('clientes', { nome: true, cpf_cnpj: true });

/**
 * Everything that is held of a person (LGPD, art. 18, II and V, and art. 19): of all registrations at this provider with the tax id of one of
 * them. A fixed number of statements, in the write that notes in the audit log that it was asked for.
 *
 * @throws Recusa `nao_encontrado`.
 */
export async function exportarTitular(
  { w, provedor, relogio }: ExportacaoDeps,
  clienteId: number,
): Promise<ExportacaoDoTitular> {
  const { tenant } = w;
  const [quem] = await rowsOf(tenant.from('clientes').where('id', clienteId), DE_QUEM);
  recusarSeNao(quem, 'nao_encontrado');
  const titular = await oQueEDele(tenant, clienteId, quem.cpf_cnpj);
  const secoes: Record<string, readonly LinhaExportada[]> = {};
  for (const { nome, ler } of SECOES) secoes[nome] = await ler(titular);
  const linhas = Object.values(secoes).reduce((soma, lidas) => soma + lidas.length, 0);
  w.emit('exportacao.feita', clienteId, { o_que: 'titular', cliente: clienteId, linhas });
  return {
    formato: 'malha/titular',
    versao: 1,
    gerado_em: relogio.agora().toISOString(),
    provedor: { id: provedor.id, nome: provedor.nome, cnpj: provedor.cnpj },
    titular: quem,
    secoes,
    linhas,
  };
}

async function oQueEDele(tenant: TenantDb, clienteId: number, documento: string): Promise<DoTitular> {
  // Who was erased has no tax id: others that were erased are other people.
  const cadastros =
    documento === DOCUMENTO_REMOVIDO
      ? [clienteId]
      : (await rowsOf(tenant.from('clientes').where('cpf_cnpj', documento), ID)).map(({ id }) => id);
  const de = async (tabela: string): Promise<number[]> =>
    (await rowsOf(tenant.from(tabela).whereIn('cliente_id', cadastros), ID)).map(({ id }) => id);
  return {
    tenant,
    clientes: cadastros,
    contratos: await de('contratos'),
    faturas: await de('faturas'),
    chamados: await de('chamados'),
  };
}
