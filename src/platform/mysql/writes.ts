import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './database.ts';
import type { Gate } from '../gate/gate.ts';
import { tenantSlot } from '../gate/keys.ts';
import type { Consumer } from './outbox-consumer.ts';
import { waitingOf } from './outbox.ts';
import { Refusal } from '../refusal.ts';
import { columns, rowsOf } from './columns.ts';
import { retryOnConflict } from './conflicts.ts';
import { requireHere, requireHereSoFar } from './moving.ts';
import { createTenantDb, createTenantWriter } from './tenant.ts';
import type { TenantDb, TenantWriter } from './tenant.ts';

/**
 * How long a write waits for its bump before it is answered without it. In this time every process has noticed that
 * Redis is away (heartbeat and command timeout: 200 ms), or the relay has bumped from the outbox. So no process uses
 * anything from before the write any more.
 */
const BUMP_PATIENCE_MS = 1000;
const BUMP_RETRY_MS = 50;
/** The most milliseconds that one try and its pause add to the waiting time; see timing/deadline.ts. */
const BUMP_CREDIT_MS = 200;

/**
 * A write that takes longer is rolled back. Incremental reads look back by more than this time, and so find every row
 * that was written but not yet committed at their last reading; see domain/leituras.ts.
 */
const LONGEST_WRITE_MS = 120_000;

/**
 * At this level a statement sees what was committed before it, and locks only the rows it finds, not the gaps between.
 */
const READ_COMMITTED = { isolationLevel: 'read committed' } as const;

const EVENT_ID = columns<{ id: number }>('eventos', { id: true });

/** The author of a write, as the audit log records it. */
export interface Author {
  readonly name: string;
  /** The kind of actor. */
  readonly kind: string;
  /** The actor's id among its kind; null when it has none. */
  readonly id: number | null;
  /** The name of a job, which has no id; null for other actors. */
  readonly job: string | null;
  /** Id of the API key; null when none was used. */
  readonly chaveId: number | null;
  /** Id of the signed-in user; null when there is none. */
  readonly usuarioId: number | null;
  /** Id of the client who acts for himself; null when it is somebody else. */
  readonly clienteId: number | null;
  /** Address from which the request came; null when there was no request. */
  readonly ip: string | null;
  /** Id of the request, as its answer and the log say it; null when there was none. */
  readonly requestId: string | null;
}

/** The data of each event, by its name; null for an event without data. */
export type EventData = Readonly<Record<string, object | null>>;

/** One write of one tenant: its rows, the tags that they make stale, and the events that it emits. */
export interface Write<Events extends EventData> extends TenantWriter {
  readonly author: Author;
  /** Reads inside the transaction. */
  readonly tenant: TenantDb;
  /** Names the tags of the written rows. */
  touch(...tags: string[]): void;
  /**
   * Records what was done: an event in the outbox and a line in the audit log. `tipo` begins with the name of the
   * resource and a dot. `dados` holds ids and choices, never personal data.
   */
  emit<Type extends keyof Events & string>(
    tipo: Type,
    recursoId: number | null,
    ...dados: Events[Type] extends null ? [] : [dados: Events[Type]]
  ): void;
}

interface WriteOptions {
  /** Tags that the write touches from the start. */
  readonly tags?: readonly string[];
  /** Rejects when Redis is away: before anything is written, or after the commit when Redis has gone away meanwhile. */
  readonly failClosed?: boolean;
}

/**
 * Runs a write of a tenant; see `createWrites`. `work` may run several times, each time in a new transaction, and only
 * the last one is committed. So it must not do anything that a rollback does not undo.
 */
export type WriteFor<Actor, Events extends EventData> = <T>(
  actor: Actor,
  provedorId: number,
  work: (write: Write<Events>) => Promise<T>,
  options?: WriteOptions,
) => Promise<T>;

export interface WritesDeps<Actor> {
  readonly db: Db;
  readonly gate: Pick<Gate, 'bump'>;
  /** Says how the audit log records an actor. */
  readonly authorOf: (actor: Actor) => Author;
  /** The consumers of events, in addition to the cache. */
  readonly consumers?: readonly Pick<Consumer, 'name' | 'wants'>[];
  /** Called when a write was answered before its bump was confirmed. */
  readonly onUnconfirmed: (provedorId: number) => void;
}

interface Event {
  readonly tipo: string;
  readonly recurso_id: number | null;
  readonly dados: string | null;
}

/**
 * The only way to write a tenant's tables. Rows, outbox and audit log are one transaction. The tags are bumped after
 * the commit and before the write resolves, so no process answers a later request with older data.
 *
 * A write that changes nothing, or is refused, gives an answer that depends on what others have written. So everything
 * of the tenant that still waits in the outbox is bumped before such an answer.
 *
 * No write of a tenant that moves is committed, and no job of one begins; see moving.ts.
 */
export function createWrites<Actor, Events extends EventData>({
  db,
  gate,
  authorOf,
  consumers = [],
  onUnconfirmed,
}: WritesDeps<Actor>): WriteFor<Actor, Events> {
  async function confirm(
    slot: string,
    tags: readonly string[] | null,
    patienceMs = BUMP_PATIENCE_MS,
  ): Promise<boolean> {
    if (tags?.length === 0) return true;
    let waitedMs = 0;
    for (;;) {
      const begun = performance.now();
      try {
        await gate.bump(slot, tags);
        return true;
      } catch {
        if (waitedMs >= patienceMs) return false;
        await sleep(BUMP_RETRY_MS);
        // Time in which this process was frozen does not count as waiting: Redis may have served all others meanwhile.
        waitedMs += Math.min(performance.now() - begun, BUMP_CREDIT_MS);
      }
    }
  }

  /** None once Redis was waited for in vain, until it answers again: then no process uses what it has kept. */
  let patienceForOthersMs = BUMP_PATIENCE_MS;

  /**
   * Bumps what others committed and have not bumped yet: their process may have died, or is still trying. The write
   * itself is over, so a failure here changes neither its answer nor its refusal.
   */
  async function confirmOthers(provedorId: number): Promise<void> {
    try {
      const { tags } = await waitingOf(createTenantDb(db, provedorId));
      if (tags?.length === 0) return;
      const confirmed = await confirm(tenantSlot(provedorId), tags, patienceForOthersMs);
      patienceForOthersMs = confirmed ? BUMP_PATIENCE_MS : 0;
      if (confirmed) return;
    } catch {
      // The database did not say what waits.
    }
    onUnconfirmed(provedorId);
  }

  async function transact<T>(
    author: Author,
    provedorId: number,
    work: (write: Write<Events>) => Promise<T>,
    tags: Set<string>,
  ): Promise<T> {
    const begun = performance.now();
    return db.transaction(async (trx) => {
      let wrote = false;
      const writer = createTenantWriter(trx, provedorId, () => {
        wrote = true;
      });
      const events: Event[] = [];
      // What a job takes it goes on to do, outside of the database too: so it asks before it takes anything, also where it emits nothing.
      if (author.job !== null) await requireHereSoFar(trx, provedorId);
      const answer = await work({
        ...writer,
        author,
        tenant: createTenantDb(trx, provedorId),
        touch: (...touched) => {
          for (const tag of touched) tags.add(tag);
        },
        emit: (tipo, recursoId, ...[dados]) =>
          void events.push({ tipo, recurso_id: recursoId, dados: dados === undefined ? null : JSON.stringify(dados) }),
      });
      if (events.length === 0 && tags.size > 0) events.push({ tipo: 'alteracao', recurso_id: null, dados: null });
      // Also of what nobody is told, such as tokens that are renewed: the other cell would not have it.
      if (events.length > 0 || wrote || author.job !== null) await requireHere(trx, provedorId);
      if (events.length > 0) {
        // Only the first event carries the tags: repeated in each event, they would grow with the square of the write.
        const etiquetas = JSON.stringify([...tags]);
        await insertEvents(
          writer,
          events.map((event, n) => ({
            ...event,
            etiquetas: n === 0 ? etiquetas : '[]',
            requisicao_id: author.requestId,
          })),
          consumers,
        );
        await writer.insert(
          'auditoria',
          events.map((event) => auditLine(event, author)),
        );
      }
      if (performance.now() - begun > LONGEST_WRITE_MS) throw new Error('A alteração demorou demais e foi desfeita.');
      return answer;
    }, READ_COMMITTED);
  }

  return async (actor, provedorId, work, options = {}) => {
    const author = authorOf(actor);
    const slot = tenantSlot(provedorId);
    if (options.failClosed === true) await gate.bump(slot, options.tags ?? []);
    const attempt = retryOnConflict(async () => {
      const touched = new Set(options.tags);
      return { result: await transact(author, provedorId, work, touched), tags: [...touched] };
    });
    const { result, tags } = await attempt.catch(async (error: unknown) => {
      if (error instanceof Refusal) await confirmOthers(provedorId);
      throw error;
    });
    if (tags.length === 0) await confirmOthers(provedorId);
    else if (!(await confirm(slot, tags))) {
      if (options.failClosed === true) {
        throw new Error('A alteração foi gravada, mas o Redis não a confirmou a tempo; repita para confirmá-la.');
      }
      onUnconfirmed(provedorId);
    }
    return result;
  };
}

/** Writes events to the outbox, and for each event a pending row for every consumer that wants it. */
async function insertEvents(
  writer: TenantWriter,
  events: readonly (Event & { readonly etiquetas: string; readonly requisicao_id: string | null })[],
  consumers: readonly Pick<Consumer, 'name' | 'wants'>[],
): Promise<void> {
  const first = await writer.insert('eventos', events);
  const wanted = events.map(({ tipo }) => consumers.filter((consumer) => consumer.wants(tipo)));
  if (wanted.every(({ length }) => length === 0)) return;
  const ids = events.length === 1 ? [first] : await idsFrom(writer, first, events.length);
  await writer.insert(
    'eventos_pendentes',
    wanted.flatMap((theirs, n) => theirs.map(({ name }) => ({ evento_id: ids[n], consumidor: name }))),
  );
}

/**
 * Ids of the rows of one INSERT, of which the server returns the first. How far the next is from it depends on its settings, but no other
 * transaction's lie between: InnoDB reserves those of a statement that says how many rows it has together (innodb_autoinc_lock_mode).
 */
async function idsFrom(writer: TenantWriter, first: number, count: number): Promise<number[]> {
  const rows = await rowsOf(writer.from('eventos').where('id', '>=', first).orderBy('id').limit(count), EVENT_ID);
  return rows.map(({ id }) => id);
}

function auditLine({ tipo, recurso_id, dados }: Event, author: Author): object {
  const [resource] = tipo.split('.');
  return {
    acao: tipo,
    recurso: resource,
    recurso_id,
    dados,
    autor: author.name,
    ator_tipo: author.kind,
    ator_id: author.id,
    ator_tarefa: author.job,
    chave_id: author.chaveId,
    usuario_id: author.usuarioId,
    cliente_id: author.clienteId,
    ip: author.ip,
    requisicao_id: author.requestId,
  };
}
