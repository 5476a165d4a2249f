import { jsonColumn } from './database.ts';
import type { Db } from './database.ts';

/** Whoever leaves more waiting than this, in events or in bytes of tags, is not worth naming tag by tag. */
const MOST_EVENTS = 900;
const MOST_BYTES = 256 * 1024;

/** Of a statement: MariaDB makes a join, with a temporary table, of a longer list of ids. */
const IDS_A_STATEMENT = 900;

export interface WaitingEvent {
  readonly id: number;
  readonly tipo: string;
}

export interface Waiting {
  /** Oldest first. */
  readonly events: readonly WaitingEvent[];
  /** All that they make stale; null where it is too much to name, or cannot be read. */
  readonly tags: readonly string[] | null;
  /** The last one that was looked at, others' too; null where no more than these wait. */
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

/** What of one tenant waits in the outbox to be published. No more is read at once than some hundred KiB. */
export async function waitingOf(
  db: Db,
  tenantId: number,
  { limit = MOST_EVENTS + 1, after = 0, lock = false }: WaitingOptions = {},
): Promise<Waiting> {
  const found = await waiting(db)
    .where('provedor_id', tenantId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select<{ id: number }[]>('id');
  // Locked one by one: by the index above, the first event of the next tenant would be locked with the last of these.
  const rows: (WaitingEvent & { bytes: number })[] = [];
  for (const ids of chunks(found)) {
    const some = db(db.raw('eventos FORCE INDEX (PRIMARY)'))
      .where('provedor_id', tenantId)
      .whereIn('id', ids)
      .whereNull('publicado_em');
    if (lock) void some.forUpdate().skipLocked();
    rows.push(...(await some.select<typeof rows>('id', 'tipo', db.raw('LENGTH(etiquetas) AS bytes'))));
  }
  const goesOnAfter = found.length === limit ? (found.at(-1)?.id ?? null) : null;
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const named = rows.length <= MOST_EVENTS && bytes <= MOST_BYTES;
  return { events: rows, tags: named ? await tagsOf(db, tenantId, rows) : null, goesOnAfter };
}

/** The first tenant after another, by id, of which events wait; null when none is left. */
export async function nextWaiting(db: Db, afterTenantId: number): Promise<number | null> {
  const [row] = await waiting(db)
    .where('provedor_id', '>', afterTenantId)
    .orderBy('provedor_id')
    .limit(1)
    .select<{ provedor_id: number }[]>('provedor_id');
  return row?.provedor_id ?? null;
}

/** Notes that events of one tenant are published, or deletes those. */
export async function settle(
  db: Db,
  tenantId: number,
  events: readonly WaitingEvent[],
  how: 'keep' | 'delete',
): Promise<void> {
  const what = how === 'delete' ? 'DELETE e FROM eventos e' : 'UPDATE eventos e';
  const change = how === 'delete' ? '' : 'SET e.publicado_em = CURRENT_TIMESTAMP(3)';
  for (const ids of chunks(events)) {
    await db.raw(`${what} FORCE INDEX (PRIMARY) ${change} WHERE e.provedor_id = ? AND e.id IN (?)`, [tenantId, ids]);
  }
}

/** In the order of the index: otherwise each look would sort all that waits. */
function waiting(db: Db) {
  return db(db.raw('eventos FORCE INDEX (eventos_a_publicar)')).whereNull('publicado_em');
}

function* chunks(events: readonly { readonly id: number }[]): Generator<number[]> {
  for (let from = 0; from < events.length; from += IDS_A_STATEMENT) {
    yield events.slice(from, from + IDS_A_STATEMENT).map(({ id }) => id);
  }
}

async function tagsOf(db: Db, tenantId: number, events: readonly WaitingEvent[]): Promise<string[] | null> {
  const tags = new Set<string>();
  for (const ids of chunks(events)) {
    const rows = await db('eventos').where('provedor_id', tenantId).whereIn('id', ids).select<Labelled[]>('etiquetas');
    for (const { etiquetas } of rows) {
      const some = listOf(etiquetas);
      if (some === null) return null;
      for (const tag of some) tags.add(tag);
    }
  }
  return [...tags];
}

interface Labelled {
  etiquetas: unknown;
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
