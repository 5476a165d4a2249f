import { ID, columns, rowsOf } from './columns.ts';
import { jsonColumn } from './database.ts';
import type { TenantDb } from './tenant.ts';

/** When more than this waits, in events or in bytes of tags, the tags are not read one by one. */
const MOST_EVENTS = 900;
const MOST_BYTES = 256 * 1024;

/** The most ids in one statement. MariaDB turns a longer list into a join with a temporary table. */
const IDS_A_STATEMENT = 900;

/**
 * The index by which the events of a tenant are found: (publicado_em, provedor_id, id). Without it, each look would
 * sort all.
 */
export const WAITING_INDEX = 'eventos_a_publicar';

export interface WaitingEvent {
  readonly id: number;
  readonly tipo: string;
  readonly recurso_id: number | null;
}

interface WaitingRow extends WaitingEvent {
  /** Of its tags. */
  readonly bytes: number;
}

const WAITING = columns<WaitingRow>('eventos', { id: true, tipo: true, recurso_id: true, bytes: 'LENGTH(etiquetas)' });
const TAGS = columns<{ etiquetas: unknown }>('eventos', { etiquetas: true });

export interface Waiting {
  /** Oldest first. */
  readonly events: readonly WaitingEvent[];
  /** All tags that the events make stale; null when they are too many, or cannot be read. */
  readonly tags: readonly string[] | null;
  /**
   * Id of the last event that was looked at, even if another transaction holds it; null when nothing waits behind it.
   */
  readonly goesOnAfter: number | null;
}

export interface WaitingOptions {
  /** The most events to read. */
  readonly limit?: number;
  /** Reads only events with a greater id. */
  readonly after?: number;
  /** Locks the events until the transaction ends, and skips those that another transaction has locked. */
  readonly lock?: boolean;
}

/** Reads the events of one tenant that wait to be published. At most a few hundred KiB are read at once. */
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
  // Rows are locked by the primary key. By the index above, the first event of the next tenant would be locked as well.
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

/** Marks events as published, or deletes them. */
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

/**
 * Triggers and other programs write this column too. A value that is not a list of texts must not block later events.
 */
function listOf(column: unknown): readonly string[] | null {
  try {
    const list = jsonColumn<unknown>(column);
    return Array.isArray(list) && list.every((tag) => typeof tag === 'string') ? list : null;
  } catch {
    return null;
  }
}
