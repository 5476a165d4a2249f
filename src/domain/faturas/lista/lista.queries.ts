import type { Knex } from 'knex';
import { fimDoDiaEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DA_LISTA } from './lista.types.ts';
import type { FaturaComClienteRow, FiltroDaLista } from './lista.types.ts';

const POR_PAGINA = 50;
/** More rows than these are not summed. */
export const LIMITE = 100_000;

/** Of a type of no more invoices than this a page is looked for among them. */
const RARO = 5000;
const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });

const GRUPOS = ['aberta', 'paga', 'cancelada', 'estornada', 'processando'];

/** In which index, and in what order, a filter is read; all descending. */
interface Caminho {
  readonly indice: string;
  readonly ordem: readonly ('emitida_em' | 'vencimento' | 'pago_em' | 'grupo' | 'id')[];
}

function caminhoDe({ clienteId, contratoId, situacao = 'todas', ...filtro }: FiltroDaLista): Caminho {
  if (contratoId !== undefined) return { indice: 'faturas_contrato', ordem: ['emitida_em', 'id'] };
  if (clienteId !== undefined) return { indice: 'faturas_cliente', ordem: ['emitida_em', 'id'] };
  if (filtro.pagoDe !== undefined || filtro.pagoAte !== undefined) {
    return { indice: 'faturas_pagas', ordem: ['pago_em', 'id'] };
  }
  const porVencimento = filtro.vencimentoDe !== undefined || filtro.vencimentoAte !== undefined;
  if (situacao === 'vencida' || situacao === 'pendente' || (porVencimento && situacao !== 'todas')) {
    return { indice: 'faturas_somas', ordem: ['vencimento', 'id'] };
  }
  // That of the index, for a stretch of due dates may hold all of them.
  if (porVencimento) return { indice: 'faturas_vencimento', ordem: ['vencimento', 'grupo', 'emitida_em', 'id'] };
  return { indice: situacao === 'todas' ? 'faturas_emissao' : 'faturas_grupo', ordem: ['emitida_em', 'id'] };
}

const CHAVE_DA_PAGINA = columns<Record<string, string | number>>('faturas', {
  id: true,
  emitida_em: true,
  vencimento: true,
  pago_em: true,
  grupo: true,
});

export function createListaQueries(tenant: TenantDb, fuso: string) {
  function filtrar(query: Knex.QueryBuilder, filtro: FiltroDaLista, hoje: Data): void {
    const { clienteId, contratoId, tipo, situacao = 'todas', vencimentoDe, vencimentoAte, pagoDe, pagoAte } = filtro;
    if (clienteId !== undefined) query.where('faturas.cliente_id', clienteId);
    if (contratoId !== undefined) query.where('faturas.contrato_id', contratoId);
    if (tipo !== undefined) query.where('faturas.tipo', tipo);
    if (vencimentoDe !== undefined) query.where('faturas.vencimento', '>=', vencimentoDe);
    if (vencimentoAte !== undefined) query.where('faturas.vencimento', '<=', vencimentoAte);
    if (pagoDe !== undefined) query.where('faturas.pago_em', '>=', toDatabaseTime(inicioDoDiaEm(fuso, pagoDe)));
    if (pagoAte !== undefined) query.where('faturas.pago_em', '<=', toDatabaseTime(fimDoDiaEm(fuso, pagoAte)));
    if (pagoDe !== undefined || pagoAte !== undefined) query.where('faturas.grupo', 'paga');
    if (situacao === 'todas') return;
    const aberta = situacao === 'aberta' || situacao === 'pendente' || situacao === 'vencida';
    query.where('faturas.grupo', aberta ? 'aberta' : situacao);
    if (situacao === 'pendente') query.where('faturas.vencimento', '>=', hoje);
    if (situacao === 'vencida') query.where('faturas.vencimento', '<', hoje);
  }

  /** Whether there are no more invoices of a type than these: then they are gone through, and not all those of other types. */
  async function tipoRaro({ tipo, clienteId, contratoId }: FiltroDaLista, maximo: number): Promise<boolean> {
    if (tipo === undefined || clienteId !== undefined || contratoId !== undefined) return false;
    const delas = tenant
      .from('faturas', 'faturas_tipo')
      .where('faturas.tipo', tipo)
      .limit(maximo + 1);
    const asPrimeiras = delas.select('faturas.id').as('t');
    const [contadas] = await rowsOf(tenant.db.from(asPrimeiras), QUANTAS);
    return (contadas?.quantas ?? 0) <= maximo;
  }

  return {
    /** The rows of a page, one more than it shows, and the place after each; their keys are found first, in the index. */
    async pagina(
      filtro: FiltroDaLista,
      hoje: Data,
      depoisDe: readonly (string | number)[] | null,
    ): Promise<{ rows: FaturaComClienteRow[]; proxima: readonly (string | number)[] | null }> {
      const { indice, ordem } = caminhoDe(filtro);
      const chaves = tenant
        .from('faturas', (await tipoRaro(filtro, RARO)) ? 'faturas_tipo' : indice)
        .modify(filtrar, filtro, hoje)
        .orderBy(ordem.map((column) => ({ column: `faturas.${column}`, order: 'desc' })))
        .limit(POR_PAGINA + 1);
      if (depoisDe !== null) chaves.modify(depois, ordem, depoisDe);
      const achadas = await rowsOf(chaves, CHAVE_DA_PAGINA);
      const ids = achadas.slice(0, POR_PAGINA).map(({ id }) => Number(id));
      if (ids.length === 0) return { rows: [], proxima: null };
      const delas = tenant
        .from('faturas')
        .join('clientes', sameTenant('faturas', 'cliente_id', 'clientes', 'id'))
        .whereIn('faturas.id', ids);
      const porId = new Map((await rowsOf(delas, COLUNAS_DA_LISTA)).map((row) => [row.id, row]));
      const ultima = achadas[POR_PAGINA - 1];
      const ha = achadas.length > POR_PAGINA && ultima !== undefined;
      return {
        rows: ids.flatMap((id) => porId.get(id) ?? []),
        proxima: ha ? ordem.map((coluna) => ultima[coluna] ?? '') : null,
      };
    },

    /** Sums of at most `LIMITE` rows and one more, by which it is known that there are more. */
    async totais(filtro: FiltroDaLista, hoje: Data) {
      const raro = await tipoRaro(filtro, LIMITE);
      const indice = raro ? 'faturas_tipo' : caminhoDe(filtro).indice;
      const semSituacao = indice === 'faturas_vencimento' || indice === 'faturas_emissao' || indice === 'faturas_grupo';
      const rows = tenant
        .from('faturas', semSituacao ? 'faturas_somas' : indice)
        .modify(filtrar, filtro, hoje)
        .limit(LIMITE + 1)
        .select('grupo', 'vencimento', 'valor', 'valor_pago', 'abatido');
      if (semSituacao) rows.whereIn('faturas.grupo', GRUPOS);
      const [totais] = await rowsOf(tenant.db.from(rows.as('t')), dosTotais(hoje));
      return totais;
    },
  };
}

interface TotaisRow {
  quantas: number;
  aberto: string | null;
  vencido: string | null;
  recebido: string | null;
}
const FALTA = "IF(t.grupo = 'aberta', GREATEST(0, t.valor - t.valor_pago - t.abatido), 0)";
const dosTotais = (hoje: Data) =>
  columns<TotaisRow>('t', {
    quantas: 'COUNT(*)',
    aberto: `SUM(${FALTA})`,
    vencido: `SUM(IF(t.vencimento < '${hoje}', ${FALTA}, 0))`,
    recebido: 'SUM(t.valor_pago)',
  });

/** Narrows to what comes after a place, in a descending order of some columns; the first of them bounds the index. */
function depois(query: Knex.QueryBuilder, ordem: readonly string[], lugar: readonly (string | number)[]): void {
  query.where(`faturas.${ordem[0] ?? 'id'}`, '<=', lugar[0] ?? 0);
  query.where((algum) => {
    for (const [n, coluna] of ordem.entries()) {
      algum.orWhere((um) => {
        for (const [m, igual] of ordem.slice(0, n).entries()) um.where(`faturas.${igual}`, lugar[m] ?? 0);
        um.where(`faturas.${coluna}`, '<', lugar[n] ?? 0);
      });
    }
  });
}
