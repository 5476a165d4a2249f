import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { createTenantDb, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { Write } from '../../escrita.ts';
import { gravarAcessos } from '../../rede/acesso/acesso.service.ts';
import { pedirRede } from '../../rede/pedir.ts';
import { lugarDaSenha } from '../arquivo/arquivo.queries.ts';
import { somarContagens, travarImportacao } from '../importacoes.queries.ts';
import type { Importacao } from '../importacoes.types.ts';
import type { Leitor } from '../lotes/lote.types.ts';
import type { Andamento } from './andamento.types.ts';
import { LINHAS_DO_LOTE } from './leitura-do-arquivo.ts';

interface AAplicarRow {
  linha: number;
  contrato_id: number;
}

const A_APLICAR = columns<AAplicarRow>('importacao_linhas', { linha: true, contrato_id: true });

interface ContratoRow {
  id: number;
  situacao: SituacaoContrato;
  tipo_conexao: string;
  login: string | null;
}

const CONTRATO = columns<ContratoRow>('contratos', { id: true, situacao: true, tipo_conexao: true, login: true });
const SENHA = columns<{ contrato_id: number; senha: Buffer }>('importacao_senhas', { contrato_id: true, senha: true });
const PREVISTO = expressions<{ situacao: SituacaoContrato; quantos: number; senhas: number }>({
  situacao: 'contratos.situacao',
  quantos: 'COUNT(*)',
  senhas: 'COUNT(importacao_senhas.contrato_id)',
});

/** What applying an import to the network would do, by now. */
export interface PrevistoNaRede {
  readonly ativos: number;
  readonly bloqueados: number;
  /** Of those, with a password of the file. */
  readonly senhas: number;
}

/** Lines whose contract the network has not been told of. */
const daImportacao = (leitor: Leitor, id: number) =>
  leitor
    .from('importacao_linhas')
    .where('importacao_linhas.importacao_id', id)
    .where('importacao_linhas.situacao', 'gravada');

export async function previstoNaRede(leitor: Leitor, importacaoId: number): Promise<PrevistoNaRede> {
  const linhas = daImportacao(leitor, importacaoId)
    .whereNull('rede_em')
    .join('contratos', sameTenant('importacao_linhas', 'contrato_id', 'contratos', 'id'))
    .leftJoin('importacao_senhas', sameTenant('contratos', 'id', 'importacao_senhas', 'contrato_id'))
    .whereNotNull('contratos.login')
    .whereNotIn('contratos.situacao', SEM_ACESSO)
    .groupBy('contratos.situacao');
  const rows = await rowsOf(linhas, PREVISTO);
  const soma = (quais: (situacao: SituacaoContrato) => boolean): number =>
    rows.filter(({ situacao }) => quais(situacao)).reduce((total, { quantos }) => total + quantos, 0);
  return {
    ativos: soma((situacao) => situacao === 'ativo'),
    bloqueados: soma((situacao) => situacao !== 'ativo'),
    senhas: rows.reduce((total, { senhas }) => total + senhas, 0),
  };
}

/** A cancelled contract has no access to give. */
const SEM_ACESSO: readonly SituacaoContrato[] = ['cancelado', 'cancelado_definitivo'];

/**
 * Hands imported logins to the network as they are by now: the password and, in the same transaction, the group of the refused, for a
 * debtor's login that can be used for a moment is one that is used. Resolves to the lines that this run came to.
 */
export async function aplicarRede(importacao: Importacao, andamento: Andamento): Promise<number> {
  const { db, write, actor, provedor, relogio } = andamento;
  const tenant = createTenantDb(db, provedor.id);
  const { id } = importacao;
  let { proximaLinha } = importacao;
  let feitas = 0;
  for (;;) {
    const proximas = daImportacao(tenant, id)
      .where('linha', '>=', proximaLinha)
      .whereNotNull('contrato_id')
      .whereNull('rede_em');
    const linhas = await rowsOf(proximas.orderBy('linha').limit(LINHAS_DO_LOTE), A_APLICAR);
    const depois = (linhas.at(-1)?.linha ?? proximaLinha) + 1;
    const esperada = proximaLinha;
    const seguiu = await write(actor, provedor.id, async (w) => {
      const atual = await travarImportacao(w, id);
      if (atual?.acao !== 'aplicar_rede' || atual.proximaLinha !== esperada) return false;
      if (linhas.length === 0) {
        const fim = { acao: null, terminada_em: toDatabaseTime(relogio.agora()), proxima_linha: 0 };
        await w.update('importacoes', (q) => void q.where({ id }), fim);
        return false;
      }
      const acessos = await aplicarLote(w, linhas, id, andamento);
      await w.update('importacoes', (q) => void q.where({ id }), {
        proxima_linha: depois,
        contagens: JSON.stringify(somarContagens(atual.contagens, { acessos })),
      });
      w.emit('importacao.rede_aplicada', id, { de: linhas[0]?.linha ?? 0, ate: depois - 1, acessos });
      return true;
    });
    if (!seguiu) return feitas;
    proximaLinha = depois;
    feitas += linhas.length;
    await andamento.avancou(importacao, feitas);
  }
}

async function aplicarLote(
  w: Write,
  linhas: readonly AAplicarRow[],
  importacaoId: number,
  { segredos, relogio }: Andamento,
): Promise<number> {
  const agora = relogio.agora();
  const ids = linhas.map(({ contrato_id: contrato }) => contrato);
  const contratos = await rowsOf(w.from('contratos').whereIn('id', ids).orderBy('id').forUpdate(), CONTRATO);
  const vivos = contratos.flatMap(({ login, ...contrato }) =>
    login === null || login === '' || SEM_ACESSO.includes(contrato.situacao) ? [] : [{ ...contrato, login }],
  );
  const guardadas = await rowsOf(w.from('importacao_senhas').whereIn('contrato_id', ids), SENHA);
  const senhas = new Map(
    guardadas.map(({ contrato_id: contrato, senha }) => [
      contrato,
      segredos.open(lugarDaSenha(w.provedorId, contrato), senha).toString(),
    ]),
  );
  // Of a login without a password in the file, what the network has of it stays.
  await gravarAcessos(
    w,
    vivos.map(({ id, login, situacao, tipo_conexao: tipoConexao }) => ({
      login,
      tipoConexao,
      senha: senhas.get(id) ?? null,
      recusar: situacao !== 'ativo',
    })),
  );
  // Applied again, it asks for nothing new: nobody who is as he should be loses his session for it.
  await pedirRede(w, vivos, agora, 'se_mudar');
  await w.delete('importacao_senhas', (q) => void q.whereIn('contrato_id', ids));
  const numeros = linhas.map(({ linha }) => linha);
  await w.update('importacao_linhas', (q) => void q.where({ importacao_id: importacaoId }).whereIn('linha', numeros), {
    rede_em: toDatabaseTime(agora),
  });
  return vivos.length;
}
