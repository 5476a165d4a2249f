import type { Data } from '../../brazil/datas.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Write } from '../../platform/writes.ts';
import type { FaturaRow } from '../faturas/faturas.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** What is done once for each local day of each provider. */
export const TAREFAS_DIARIAS = ['faturas.vencer', 'pix.recalcular'] as const;
export type TarefaDiaria = (typeof TAREFAS_DIARIAS)[number];

export interface TarefaDoDia {
  readonly tarefa: TarefaDiaria;
  readonly provedorId: number;
  readonly dia: Data;
}

/** After which invoice a chunk begins: the moment it was issued, as MySQL writes it, and its id. */
export type Cursor = readonly [emitidaEm: string, id: number];

/** What a task needs to know of an invoice. */
export type FaturaDoLote = Pick<
  FaturaRow,
  'id' | 'emitida_em' | 'valor' | 'valor_pago' | 'vencimento' | 'pix_txid' | 'situacao'
>;

type Gravacao = (w: Write) => Promise<number>;

/** How a daily task goes about its invoices. A chunk that is done again changes nothing. */
export interface Trabalho {
  /** Event of the outbox that says that a day is done. */
  readonly evento: string;
  /** About how many invoices there are to look at. */
  contar(tenant: TenantDb, dia: Data, depoisDe: Cursor | null): Promise<number>;
  /** The next invoices, oldest first, without locks; none at the end. */
  proximas(tenant: TenantDb, dia: Data, depoisDe: Cursor | null, limite: number): Promise<FaturaDoLote[]>;
  /**
   * Works out what becomes of them, and resolves to who writes that, in the transaction of `w`, and says how many changed. Between the two
   * others may have changed some.
   */
  preparar(tenant: TenantDb, provedor: Provedor, dia: Data, faturas: readonly FaturaDoLote[]): Promise<Gravacao>;
}

/**
 * How a run ended: `concluida` now; `ja_feita` before; `superada` by a run of a later day, whose values are newer; `de_outro`, because
 * another run of the same day is ahead of this one.
 */
export type Desfecho = 'concluida' | 'ja_feita' | 'superada' | 'de_outro';
