import { ID, columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Leitor } from './lote.types.ts';

/** The most values in one list: MariaDB joins a longer one with a temporary table. */
const MAIOR_LISTA = 900;

const AGORA = expressions<{ agora: string }>({ agora: 'UTC_TIMESTAMP(3)' });

/** The time of the database, by which the changes of rows are told. */
export async function instanteDoBanco(db: Db): Promise<string> {
  const [row] = await rowsOfSql(db, AGORA, (lista) => `SELECT ${lista}`);
  return row?.agora ?? '';
}

export interface ClienteAchado {
  id: number;
  cpf_cnpj: string;
  codigo_externo: string | null;
  situacao: string;
  apagado_em: string | null;
}

const CLIENTE = columns<ClienteAchado>('clientes', {
  id: true,
  cpf_cnpj: true,
  codigo_externo: true,
  situacao: true,
  apagado_em: true,
});

/** Clients by their codes, or by their tax ids those that are not cancelled, unless all are asked for; by id. */
export async function clientesPor(
  leitor: Leitor,
  coluna: 'codigo_externo' | 'cpf_cnpj',
  valores: readonly string[],
  travar: boolean,
  { cancelados = false }: { cancelados?: boolean } = {},
): Promise<ClienteAchado[]> {
  return emPartes(valores, async (parte) => {
    const achados = leitor.from('clientes').whereIn(coluna, parte).orderBy('id');
    if (coluna === 'cpf_cnpj' && !cancelados) void achados.where('situacao', '<>', 'cancelado');
    return rowsOf(travar ? achados.forUpdate() : achados, CLIENTE);
  });
}

/** Of some clients, those whose data were erased. */
export async function apagadosDe(leitor: Leitor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const unicos = [...new Set(ids)];
  if (unicos.length === 0) return new Set();
  const deles = leitor.from('clientes').whereIn('id', unicos).whereNotNull('apagado_em');
  return new Set((await rowsOf(deles, ID)).map(({ id }) => id));
}

const CLIENTE_DA_LINHA = columns<{ cliente_id: number }>('importacao_linhas', { cliente_id: true });

/** Of these clients, those that lines of an import made. */
export async function clientesDaImportacao(
  leitor: Leitor,
  importacaoId: number,
  clienteIds: readonly number[],
): Promise<number[]> {
  if (clienteIds.length === 0) return [];
  const linhas = leitor
    .from('importacao_linhas')
    .whereIn('cliente_id', clienteIds)
    .where({ importacao_id: importacaoId, cliente_novo: 1, situacao: 'gravada' });
  return (await rowsOf(linhas, CLIENTE_DA_LINHA)).map(({ cliente_id }) => cliente_id);
}

export interface ContratoAchado {
  id: number;
  cliente_id: number;
  codigo_externo: string | null;
  login: string | null;
  cobrador_id: number | null;
  situacao: string;
  valor: string;
  dia_vencimento: number;
}

export const CONTRATO_ACHADO = columns<ContratoAchado>('contratos', {
  id: true,
  cliente_id: true,
  codigo_externo: true,
  login: true,
  cobrador_id: true,
  situacao: true,
  valor: true,
  dia_vencimento: true,
});

/** Contracts by their codes or their logins. */
export async function contratosPor(
  leitor: Leitor,
  coluna: 'codigo_externo' | 'login',
  valores: readonly string[],
): Promise<ContratoAchado[]> {
  return emPartes(valores, async (parte) => rowsOf(leitor.from('contratos').whereIn(coluna, parte), CONTRATO_ACHADO));
}

const CODIGO = (tabela: string) =>
  columns<{ id: number; codigo_externo: string }>(tabela, { id: true, codigo_externo: true });
const CODIGOS = {
  clientes: CODIGO('clientes'),
  contratos: CODIGO('contratos'),
  faturas: CODIGO('faturas'),
  planos: CODIGO('planos'),
};

/**
 * Ids of rows by their codes. Also of those that were just inserted: the server says the first id of a statement, and not how far it is
 * to the next.
 */
export async function idsPorCodigo(
  leitor: Leitor,
  tabela: keyof typeof CODIGOS,
  codigos: readonly string[],
): Promise<Map<string, number>> {
  const rows = await emPartes(codigos, async (parte) =>
    rowsOf(leitor.from(tabela).whereIn('codigo_externo', parte), CODIGOS[tabela]),
  );
  return new Map(rows.map(({ id, codigo_externo }) => [codigo_externo, id]));
}

export interface FaturaAchada {
  id: number;
  codigo_externo: string;
  situacao: string;
  valor: string;
  valor_pago: string;
  vencimento: string;
}

const FATURA = columns<FaturaAchada>('faturas', {
  id: true,
  codigo_externo: true,
  situacao: true,
  valor: true,
  valor_pago: true,
  vencimento: true,
});

/** Invoices by their codes. */
export async function faturasPor(leitor: Leitor, codigos: readonly string[]): Promise<Map<string, FaturaAchada>> {
  const rows = await emPartes(codigos, async (parte) =>
    rowsOf(leitor.from('faturas').whereIn('codigo_externo', parte), FATURA),
  );
  return new Map(rows.map((row) => [row.codigo_externo, row]));
}

const TXID = columns<{ pix_txid: string }>('faturas', { pix_txid: true });

/** Of these txids, those that an invoice has. */
export async function txidsQueHa(leitor: Leitor, txids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await emPartes(txids, async (parte) => rowsOf(leitor.from('faturas').whereIn('pix_txid', parte), TXID));
  return new Set(rows.map(({ pix_txid: txid }) => txid));
}

export interface PlanoAchado {
  id: number;
  nome: string;
  valor: string;
}

const PLANO = columns<PlanoAchado>('planos', { id: true, nome: true, valor: true });

export async function planosDoProvedor(leitor: Leitor): Promise<PlanoAchado[]> {
  return rowsOf(leitor.from('planos').orderBy('id'), PLANO);
}

/** Does a look-up for parts of a list of values, each of them once. */
export async function emPartes<Row, Valor = string>(
  valores: readonly Valor[],
  buscar: (parte: Valor[]) => Promise<Row[]>,
): Promise<Row[]> {
  const unicos = [...new Set(valores)];
  const achados: Row[] = [];
  for (let de = 0; de < unicos.length; de += MAIOR_LISTA)
    achados.push(...(await buscar(unicos.slice(de, de + MAIOR_LISTA))));
  return achados;
}
