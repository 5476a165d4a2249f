import { columns, rowsOf } from './columns.ts';
import { jsonColumn } from './database.ts';
import type { Db } from './database.ts';
import { isHere } from './moving.ts';
import { createTenantDb, createTenantWriter } from './tenant.ts';
import type { TenantDb, TenantWriter } from './tenant.ts';

/** An event as it was written. */
export interface ConsumedEvent {
  readonly id: number;
  readonly tipo: string;
  readonly recursoId: number | null;
  readonly dados: unknown;
  /** As MySQL writes it, in UTC. */
  readonly criadoEm: string;
}

/**
 * Receives events, in addition to the cache. Each event that it wants waits for it in a row of its own
 * (`eventos_pendentes`).
 */
export interface Consumer {
  /** Identifies the rows that wait for this consumer, so it must be unique and must never change. */
  readonly name: string;
  wants(tipo: string): boolean;
  /**
   * Takes events of one tenant, oldest first. It runs in the transaction that removes their pending rows: what it
   * writes through `w` takes effect exactly once, and what it does elsewhere may happen again. If it rejects, the
   * events stay.
   */
  consume(w: TenantWriter, events: readonly ConsumedEvent[], tenant: TenantDb): Promise<void>;
  /**
   * Whether the events of one tenant must come one transaction after another, oldest first. Otherwise two processes may
   * take different ones at the same time.
   */
  readonly inOrder?: boolean;
}

export interface ConsumingDeps {
  readonly db: Db;
  readonly consumer: Pick<Consumer, 'name' | 'consume' | 'inOrder'>;
  /** Called when the events of a tenant could not be consumed. */
  readonly onFailure: (tenantId: number, error: unknown) => void;
}

/** The most tenants in one turn, and the most events of each. */
const TENANTS_A_TURN = 16;
const EVENTS_A_TURN = 500;

/** The index by which the events of a consumer are found: (consumidor, provedor_id, evento_id). */
const QUEUE = 'eventos_pendentes_fila';

interface EventRow {
  id: number;
  tipo: string;
  recurso_id: number | null;
  dados: unknown;
  criado_em: string;
}

const EVENT = columns<EventRow>('eventos', { id: true, tipo: true, recurso_id: true, dados: true, criado_em: true });
const TENANT = columns<{ provedor_id: number }>('eventos_pendentes', { provedor_id: true });
const PENDING = columns<{ evento_id: number }>('eventos_pendentes', { evento_id: true });

/**
 * Gives a consumer the events that wait for it, tenant by tenant, each tenant in a transaction of its own. Consumers
 * are independent: one that fails or is slow does not delay others, and a tenant that fails does not delay other
 * tenants. There is no position that moves forward, so an event that is committed after later ones is not skipped. This
 * is one of the few places that read across tenants.
 */
export function createConsuming({ db, consumer, onFailure }: ConsumingDeps) {
  const { name, inOrder = false } = consumer;
  /** The tenant whose turn was last. */
  let last = 0;

  async function nextAfter(tenantId: number): Promise<number | null> {
    const next = db(db.raw('eventos_pendentes FORCE INDEX (??)', [QUEUE]))
      .where({ consumidor: name })
      .where('provedor_id', '>', tenantId)
      .orderBy('provedor_id')
      .limit(1);
    const [row] = await rowsOf(next, TENANT);
    return row?.provedor_id ?? null;
  }

  async function take(tenantId: number, limit: number): Promise<number> {
    return db.transaction(
      async (trx) => {
        // Of one that moves they wait for the cell in which it will live.
        if (!(await isHere(trx, tenantId))) return 0;
        const tenant = createTenantDb(trx, tenantId);
        const w = createTenantWriter(trx, tenantId);
        const ids = await lock(tenant, name, limit, inOrder);
        if (ids.length === 0) return 0;
        const events = await eventsOf(tenant, ids);
        if (events.length > 0) await consumer.consume(w, events, tenant);
        await remove(tenant, name, ids);
        return ids.length;
      },
      { isolationLevel: 'read committed' },
    );
  }

  return {
    /**
     * Takes up to `limit` events of each of the next tenants that have some. Processes that call it at the same time
     * take different events. Resolves to how many were taken; 0 when nothing is left that can be taken now.
     */
    consume: async (limit = EVENTS_A_TURN): Promise<number> => {
      let taken = 0;
      for (let n = 0; n < TENANTS_A_TURN; n += 1) {
        const next = await nextAfter(last);
        last = next ?? 0;
        if (next === null) break;
        try {
          taken += await take(next, limit);
        } catch (error) {
          onFailure(next, error);
        }
      }
      return taken;
    },
  };
}

/**
 * Locks the oldest waiting events that no other transaction holds, until this transaction ends; resolves to their ids.
 */
async function lock(tenant: TenantDb, name: string, limit: number, inOrder: boolean): Promise<number[]> {
  const oldest = tenant.from('eventos_pendentes', QUEUE).where({ consumidor: name }).orderBy('evento_id').limit(limit);
  const found = await rowsOf(oldest, PENDING);
  // Rows are locked by the primary key. By the index above, the first row of the next tenant would be locked as well.
  const free = tenant
    .from('eventos_pendentes', 'PRIMARY')
    .where({ consumidor: name })
    .whereIn(
      'evento_id',
      found.map(({ evento_id }) => evento_id),
    )
    .forUpdate()
    .skipLocked();
  const taken = (await rowsOf(free.orderBy('evento_id'), PENDING)).map(({ evento_id }) => evento_id);
  if (!inOrder) return taken;
  // Another transaction has an older one: this one goes up to it, and not past it.
  const gap = found.findIndex(({ evento_id }, n) => taken[n] !== evento_id);
  return gap === -1 ? taken : taken.slice(0, gap);
}

/**
 * Removes rows that this transaction has locked. By the primary key, which is forced: a scan, which the server prefers
 * while the table is small, would wait for the rows of other consumers, and they for these.
 */
async function remove({ db, provedorId }: TenantDb, name: string, ids: readonly number[]): Promise<void> {
  await db.raw(
    `DELETE p FROM eventos_pendentes p FORCE INDEX (PRIMARY)
     WHERE p.provedor_id = ? AND p.consumidor = ? AND p.evento_id IN (${ids.map(() => '?').join(', ')})`,
    [provedorId, name, ...ids],
  );
}

/** The events that still exist. Those that waited for longer than events are kept have been deleted. */
async function eventsOf(tenant: TenantDb, ids: readonly number[]): Promise<ConsumedEvent[]> {
  const rows = await rowsOf(
    tenant
      .from('eventos')
      .whereIn('id', [...ids])
      .orderBy('id'),
    EVENT,
  );
  return rows.map(({ id, tipo, recurso_id, dados, criado_em }) => ({
    id,
    tipo,
    recursoId: recurso_id,
    dados: dados === null ? null : jsonColumn(dados),
    criadoEm: criado_em,
  }));
}
