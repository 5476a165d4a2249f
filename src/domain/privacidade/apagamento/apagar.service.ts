import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { travarDocumentos } from '../../clientes/cadastro/documento.service.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag } from '../../tags.ts';
import { createApagamentoQueries } from './apagamento.queries.ts';
import { DOCUMENTO_REMOVIDO, NOME_REMOVIDO } from './apagamento.types.ts';
import type { Apagamento, Caso, ContratoDoTitularRow, Guardado, TitularRow } from './apagamento.types.ts';
import { PARTES } from './partes.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

export interface ApagamentoDeps {
  readonly w: Write;
  readonly provedor: Pick<Provedor, 'id' | 'fusoHorario'>;
  readonly relogio: Relogio;
}

/** Data of the registration that say who the person is. */
const IDENTIDADE = ['cadastro.nome', 'cadastro.cpf_cnpj', 'cadastro.codigo_externo'] as const;

/**
 * Erases what the law lets go of a registration (LGPD, arts. 15, 16 and 18, VI), and says what it has kept, until when and why. Run again
 * once those times are over, it erases the rest; before, it changes nothing.
 *
 * @throws Recusa `nao_encontrado`, `contrato_nao_cancelado`, `cliente_com_debito` or `cliente_com_chamado`.
 */
export async function apagarCliente({ w, provedor, relogio }: ApagamentoDeps, id: number): Promise<Apagamento> {
  const queries = createApagamentoQueries(w);
  const titular = await travar(w, id);
  const contratos = await queries.travarContratos(id);
  await exigirSemPendencias(w, id, contratos);

  const agora = relogio.agora();
  const primeira = titular.apagado_em === null;
  const caso: Caso = {
    w,
    titular,
    contratos,
    agora,
    hoje: hojeEm(provedor.fusoHorario, agora),
    diaDe: (instante) => hojeEm(provedor.fusoHorario, fromDatabaseTime(instante)),
    desde: titular.apagado_em ?? toDatabaseTime(agora),
  };
  const apagados: string[] = [];
  const guardados: Guardado[] = [];
  for (const parte of PARTES) {
    const feito = await parte.apagar(caso);
    apagados.push(...feito.apagados);
    guardados.push(...feito.guardados);
  }
  const outrosCadastros = await queries.outrosCadastros(titular.cpf_cnpj, id);
  const proximo = guardados.map(({ primeiro }) => primeiro).toSorted()[0] ?? null;
  const identidade = IDENTIDADE.filter((dado) => tem(titular, dado));
  if (proximo === null) {
    apagados.push(...identidade);
    if (identidade.length > 0) await esquecerQuem(w, titular, outrosCadastros.length > 0);
  } else {
    guardados.push(...identidade.map((dado) => enquantoHouver(dado, guardados)));
  }

  if (primeira || apagados.length > 0 || proximo !== titular.guardado_ate) {
    await queries.mudarCliente(id, { situacao: 'cancelado', apagado_em: caso.desde, guardado_ate: proximo });
    w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, clienteTag(id));
  }
  if (primeira || apagados.length > 0) {
    w.emit('cliente.apagado', id, { cliente: id, apagados, guardados: guardados.map(({ dado }) => dado) });
  }
  return {
    id,
    apagados,
    guardados: guardados.map(({ dado, ate, porque }) => ({ dado, ate, porque })),
    outrosCadastros,
  };
}

/** The registration with the lock of its tax id, so that nobody registers the same person meanwhile. */
async function travar(w: Write, id: number): Promise<TitularRow> {
  const queries = createApagamentoQueries(w);
  const antes = await queries.buscar(id);
  recusarSeNao(antes, 'nao_encontrado');
  if (antes.cpf_cnpj !== DOCUMENTO_REMOVIDO) await travarDocumentos(w, [antes.cpf_cnpj]);
  const titular = await queries.travar(id);
  recusarSeNao(titular, 'nao_encontrado');
  if (titular.cpf_cnpj !== antes.cpf_cnpj && titular.cpf_cnpj !== DOCUMENTO_REMOVIDO) {
    await travarDocumentos(w, [titular.cpf_cnpj]);
  }
  return titular;
}

/** While something is asked for or owed, on either side, it has to be known by whom. */
async function exigirSemPendencias(w: Write, id: number, contratos: readonly ContratoDoTitularRow[]): Promise<void> {
  const queries = createApagamentoQueries(w);
  const vivo = contratos.find(({ situacao }) => !SITUACOES_DE_CANCELADO.includes(situacao));
  recusarSeNao(vivo === undefined, 'contrato_nao_cancelado', { registroId: vivo?.id ?? 0 });
  const fatura = await queries.faturaDevida(id);
  recusarSeNao(fatura === undefined, 'cliente_com_debito', { registroId: fatura ?? 0 });
  const chamado = await queries.chamadoAberto(id);
  recusarSeNao(chamado === undefined, 'cliente_com_chamado', { registroId: chamado ?? 0 });
}

function tem(titular: TitularRow, dado: (typeof IDENTIDADE)[number]): boolean {
  if (dado === 'cadastro.codigo_externo') return titular.codigo_externo !== null;
  return dado === 'cadastro.nome' ? titular.nome !== NOME_REMOVIDO : titular.cpf_cnpj !== DOCUMENTO_REMOVIDO;
}

/** Name and document stay until the last of what is kept may go: without them nobody could say whose it is. */
function enquantoHouver(dado: string, guardados: readonly Guardado[]): Guardado {
  const ultimo = guardados.reduce((a, b) => (b.ate > a.ate ? b : a));
  return { ...ultimo, dado };
}

async function esquecerQuem(w: Write, titular: TitularRow, haOutros: boolean): Promise<void> {
  const queries = createApagamentoQueries(w);
  await queries.mudarCliente(titular.id, {
    nome: NOME_REMOVIDO,
    cpf_cnpj: DOCUMENTO_REMOVIDO,
    codigo_externo: null,
  });
  await queries.esquecerCodigos(titular.id);
  if (!haOutros) await queries.esquecerDocumento(titular.cpf_cnpj);
}
