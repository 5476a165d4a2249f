import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DA_COBRANCA, COLUNAS_DO_CONVENIO } from '../psp.types.ts';
import type { CobrancaRow, ConvenioRow } from '../psp.types.ts';
import type { FaturaACobrar } from './decisao.regras.ts';

const DA_FATURA = columns<FaturaACobrar>('faturas', {
  id: true,
  cliente_id: true,
  cobrador_id: true,
  situacao: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  pix_txid: true,
});

/** After which invoice a chunk begins: when it was issued, as MySQL writes it, and its id. */
export type LugarDaFatura = readonly [emitida: string, id: number];

export type FaturaAberta = Pick<FaturaACobrar, 'id'> & { readonly emitida_em: string };
const DA_ABERTA = columns<FaturaAberta>('faturas', { id: true, emitida_em: true });
const DO_PIX = columns<{ txid: string }>('pix_recebidos', { txid: true });
const DA_VIVA = columns<{ id: number; fatura_id: number }>('psp_cobrancas', { id: true, fatura_id: true });
const QUANTAS = expressions<{ quantas: number }>({ quantas: 'count(*)' });

export interface FaturaMudada {
  readonly id: number;
  readonly atualizado_em: string;
}
const DA_MUDADA = columns<FaturaMudada>('faturas', { id: true, atualizado_em: true });

/** Reads of what is charged, without locks. */
export function createCobrancasLeitura(tenant: TenantDb) {
  const abertas = (depoisDe: LugarDaFatura | null) => {
    const query = tenant.from('faturas', 'faturas_grupo').where('grupo', 'aberta');
    if (depoisDe === null) return query;
    const [quando, id] = depoisDe;
    return query.whereRaw('(emitida_em > ? OR (emitida_em = ? AND id > ?))', [quando, quando, id]);
  };
  return {
    contarAbertas: async (depoisDe: LugarDaFatura | null): Promise<number> => {
      const [row] = await rowsOf(abertas(depoisDe), QUANTAS);
      return row?.quantas ?? 0;
    },
    proximasAbertas: async (depoisDe: LugarDaFatura | null, limite: number): Promise<FaturaAberta[]> =>
      rowsOf(abertas(depoisDe).orderBy(['emitida_em', 'id']).limit(limite), DA_ABERTA),

    /** Invoices that were written at or after an instant, the one after another. */
    async mudadas(desde: string, depoisDe: number, limite: number): Promise<FaturaMudada[]> {
      const delas = tenant
        .from('faturas', 'faturas_atualizado')
        .whereRaw('(atualizado_em > ? OR (atualizado_em = ? AND id > ?))', [desde, desde, depoisDe]);
      return rowsOf(delas.orderBy(['atualizado_em', 'id']).limit(limite), DA_MUDADA);
    },

    /** Invoices whose charge cannot be paid any more. */
    async comFim(agora: Date, limite: number): Promise<number[]> {
      const passadas = tenant
        .from('psp_cobrancas', 'psp_cobrancas_fim')
        .where('viva', 1)
        .where('expira_em', '<=', toDatabaseTime(agora));
      return (await rowsOf(passadas.orderBy(['expira_em', 'id']).limit(limite), DA_VIVA)).map((row) => row.fatura_id);
    },
  };
}

export function createCobrancasQueries(w: Write) {
  return {
    async travarFaturas(ids: readonly number[]): Promise<FaturaACobrar[]> {
      return rowsOf(
        w
          .from('faturas')
          .whereIn('id', [...ids])
          .orderBy('id')
          .forUpdate(),
        DA_FATURA,
      );
    },

    /** The agreements that charge, which stay so until the transaction ends. */
    convenios: async (): Promise<ConvenioRow[]> =>
      rowsOf(w.from('psp_convenios').where('ativo', 1).orderBy('id').forShare(), COLUNAS_DO_CONVENIO),

    async vivas(faturaIds: readonly number[]): Promise<CobrancaRow[]> {
      const delas = w
        .from('psp_cobrancas')
        .where('viva', 1)
        .whereIn('fatura_id', [...faturaIds]);
      return rowsOf(delas.orderBy('id').forUpdate(), COLUNAS_DA_COBRANCA);
    },

    /** Charges of some txids that were paid, by txid. */
    async concluidas(txids: readonly string[]): Promise<Map<string, CobrancaRow>> {
      if (txids.length === 0) return new Map();
      const delas = w
        .from('psp_cobrancas')
        .whereIn('txid', [...txids])
        .where('estado', 'concluida');
      return new Map((await rowsOf(delas, COLUNAS_DA_COBRANCA)).map((uma) => [uma.txid, uma]));
    },

    /** Those of some txids that a PIX was received with. */
    async recebidos(txids: readonly string[]): Promise<Set<string>> {
      if (txids.length === 0) return new Set();
      return new Set(
        (await rowsOf(w.from('pix_recebidos').whereIn('txid', [...txids]), DO_PIX)).map((row) => row.txid),
      );
    },

    async travar(id: number): Promise<CobrancaRow | undefined> {
      const [row] = await rowsOf(w.from('psp_cobrancas').where({ id }).forUpdate(), COLUNAS_DA_COBRANCA);
      return row;
    },
  };
}
