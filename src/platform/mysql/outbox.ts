import { ID, columns, rowsOf } from './columns.ts';
import { jsonColumn } from './database.ts';
import type { TenantDb } from './tenant.ts';

/** Whoever leaves more waiting than this, in events or in bytes of tags, is not worth naming tag by tag. */
const MOST_EVENTS = 900;
const MOST_BYTES = 256 * 1024;

/** Of a statement: MariaDB makes a join, with a temporary table, of a longer list of ids. */
const IDS_A_STATEMENT = 900;

/** In this order what waits is found by tenant: (publicado_em, provedor_id, id). Otherwise each look would sort all of it. */
export const WAITING_INDEX = 'eventos_a_publicar';

export interface WaitingEvent {
  readonly id: number;
  readonly tipo: string;
}

interface WaitingRow extends WaitingEvent {
  /** Of its tags. */
  readonly bytes: number;
}

const WAITING = columns<WaitingRow>('eventos', { id: true, tipo: true, bytes: 'LENGTH(etiquetas)' });
const TAGS = columns<{ etiquetas: unknown }>('eventos', { etiquetas: true });

export interface Waiting {
  /** Oldest first. */
  readonly events: readonly WaitingEvent[];
  /** All that they make stale; null where it is too much to name, or cannot be read. */
  readonly tags: readonly string[] | null;
  /** The last one that was looked at, though others may keep it; null where nothing waits behind it. */
  readonly goesOnAfter: number | null;
}

export interface WaitingOptions {
  /** Most events. */
  readonly limit?: number;
  /** Those after this one. */
  readonly after?: number;
  /** Keeps others from them until the transaction ends; what others keep is passed over. */
  readonly lock?: boolean;
}

/** What of one tenant waits in the outbox to be published. No more than some hundred KiB is read at once. */
export async function waitingOf(
  tenant: TenantDb,
  { limit = MOST_EVENTS + 1, after = 0, lock = false }: WaitingOptions = {},
): Promise<Waiting> {
  const waiting = tenant
    .from('eventos', WAITING_INDEX)
    .whereNull('publicado_em')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  const found = await rowsOf(waiting, ID);
  // Locked one by one: by the index above, the first event of the next tenant would be locked with the last of these.
  const rows: WaitingRow[] = [];
  for (const ids of chunks(found)) {
    const some = tenant.from('eventos', 'PRIMARY').whereIn('id', ids).whereNull('publicado_em');
    if (lock) void some.forUpdate().skipLocked();
    rows.push(...(await rowsOf(some, WAITING)));
  }
  const goesOnAfter = found.length === limit ? (found.at(-1)?.id ?? null) : null;
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const named = rows.length <= MOST_EVENTS && bytes <= MOST_BYTES;
  return { events: rows, tags: named ? await tagsOf(tenant, rows) : null, goesOnAfter };
}

/** Notes that events are published, or deletes them. */
export async function settle(tenant: TenantDb, events: readonly WaitingEvent[], how: 'keep' | 'delete'): Promise<void> {
  for (const ids of chunks(events)) {
    const rows = tenant.from('eventos').whereIn('id', ids);
    await (how === 'delete' ? rows.delete() : rows.update({ publicado_em: tenant.db.raw('CURRENT_TIMESTAMP(3)') }));
  }
}

function* chunks(events: readonly { readonly id: number }[]): Generator<number[]> {
  for (let from = 0; from < events.length; from += IDS_A_STATEMENT) {
    yield events.slice(from, from + IDS_A_STATEMENT).map(({ id }) => id);
  }
}

async function tagsOf(tenant: TenantDb, events: readonly WaitingEvent[]): Promise<string[] | null> {
  const tags = new Set<string>();
  for (const ids of chunks(events)) {
    const rows = await rowsOf(tenant.from('eventos').whereIn('id', ids), TAGS);
    for (const { etiquetas } of rows) {
      const some = listOf(etiquetas);
      if (some === null) return null;
      for (const tag of some) tags.add(tag);
    }
  }
  return [...tags];
}

/** Triggers and other programs write here too: what is no list of texts must not stop what comes after it. */
function listOf(column: unknown): readonly string[] | null {
  try {
    const list = jsonColumn<unknown>(column);
    return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : null;
  } catch {
    return null;
  }
}
