import { columns, rowsOf } from './columns.ts';
import { jsonColumn } from './database.ts';
import type { Db } from './database.ts';
import { createTenantDb, createTenantWriter } from './tenant.ts';
import type { TenantDb, TenantWriter } from './tenant.ts';

/** An event as it was written. */
export interface ConsumedEvent {
  readonly id: number;
  readonly tipo: string;
  readonly recursoId: number | null;
  readonly dados: unknown;
  /** As MySQL writes it, UTC. */
  readonly criadoEm: string;
}

/** Who is told of events beside the cache: each event that it wants waits for it in a row of its own (`eventos_pendentes`). */
export interface Consumer {
  /** By which what waits for it is known; never another one's, and never changed. */
  readonly name: string;
  wants(tipo: string): boolean;
  /**
   * Takes events of one tenant, oldest first, in the transaction in which they cease to wait: what it writes by `w` is there once, and what
   * it does elsewhere may be done again. If it rejects, they wait on.
   */
  consume(w: TenantWriter, events: readonly ConsumedEvent[]): Promise<void>;
}

export interface ConsumingDeps {
  readonly db: Db;
  readonly consumer: Pick<Consumer, 'name' | 'consume'>;
  /** Told of a tenant whose events could not be taken. */
  readonly onFailure: (tenantId: number, error: unknown) => void;
}

/** Tenants of a turn, and events of each. */
const TENANTS_A_TURN = 16;
const EVENTS_A_TURN = 500;

/** In this order what waits is found by consumer: (consumidor, provedor_id, evento_id). */
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
 * Gives a consumer what waits for it, tenant by tenant, each in a transaction of its own. A consumer knows of no other: one that fails, or is
 * slow, holds up itself alone, and of its tenants only the one that failed. Nobody counts up to where it has come, so an event that was
 * committed after later ones waits like any other. Crosses tenants, by name and on purpose.
 */
export function createConsuming({ db, consumer, onFailure }: ConsumingDeps) {
  const { name } = consumer;
  /** Whose turn was last. */
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
        const tenant = createTenantDb(trx, tenantId);
        const w = createTenantWriter(trx, tenantId);
        const ids = await lock(tenant, name, limit);
        if (ids.length === 0) return 0;
        const events = await eventsOf(tenant, ids);
        if (events.length > 0) await consumer.consume(w, events);
        await w.delete('eventos_pendentes', (q) => void q.where({ consumidor: name }).whereIn('evento_id', ids));
        return ids.length;
      },
      { isolationLevel: 'read committed' },
    );
  }

  return {
    /**
     * Takes up to `limit` events of each of the next tenants that have some; several at once take different ones. Resolves to how many; 0 when
     * nothing is left that can be taken now.
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

/** The oldest that wait and that nobody else holds, kept from others until the transaction ends. */
async function lock(tenant: TenantDb, consumidor: string, limit: number): Promise<number[]> {
  const oldest = tenant.from('eventos_pendentes', QUEUE).where({ consumidor }).orderBy('evento_id').limit(limit);
  const found = await rowsOf(oldest, PENDING);
  // By the primary key: by the index above, the first of the next tenant would be locked with the last of these.
  const free = tenant
    .from('eventos_pendentes', 'PRIMARY')
    .where({ consumidor })
    .whereIn(
      'evento_id',
      found.map(({ evento_id }) => evento_id),
    )
    .forUpdate()
    .skipLocked();
  return (await rowsOf(free, PENDING)).map(({ evento_id }) => evento_id);
}

/** Those that are still there: what waited longer than events are kept is over. */
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
