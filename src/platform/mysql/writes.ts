import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './database.ts';
import type { Gate } from '../gate/gate.ts';
import { tenantSlot } from '../gate/keys.ts';
import type { Consumer } from './outbox-consumer.ts';
import { waitingOf } from './outbox.ts';
import { DuplicateRow, Refusal } from '../refusal.ts';
import { createTenantDb, createTenantWriter } from './tenant.ts';
import type { TenantDb, TenantWriter } from './tenant.ts';

/**
 * How long a write waits for its bump before it is answered without it. Longer than any process takes to notice that Redis is
 * away (heartbeat and command timeout: 200 ms) and than the relay takes to bump from the outbox, so by then no process
 * holds anything from before the write.
 */
const BUMP_PATIENCE_MS = 1000;
const BUMP_RETRY_MS = 50;
/** Of one try and its pause; see timing/deadline.ts. */
const BUMP_CREDIT_MS = 200;

/** How often a transaction that met another's locks is tried in all, and the longest pause before the second try. */
const TRIES = 5;
const RETRY_MS = 20;

/**
 * A write that took longer is taken back: who reads what changed since his last reading looks so far back that he sees every row that
 * was written then and not committed yet; see domain/leituras.ts.
 */
const LONGEST_WRITE_MS = 120_000;

/** A statement sees what was committed before it, and locks the rows it names, not the gaps between them. */
const READ_COMMITTED = { isolationLevel: 'read committed' } as const;

/** Deadlock found, and lock wait timeout exceeded: InnoDB's words for "try again". */
const LOCK_ERRORS = [1213, 1205];

/** Who writes, as the audit log names them. */
export interface Author {
  readonly name: string;
  /** What kind of actor it is. */
  readonly kind: string;
  /** Which one of its kind, where it has an id. */
  readonly id: number | null;
  /** Of a job, which has none. */
  readonly job: string | null;
  /** Of the API key, where one was used. */
  readonly chaveId: number | null;
  /** Of the user who signed in, where one did. */
  readonly usuarioId: number | null;
  /** Address the request came from, where there was one. */
  readonly ip: string | null;
}

/** What each event says, by its name; null of one that says nothing but that it happened. */
export type EventData = Readonly<Record<string, object | null>>;

/** One write of one tenant: rows, what they make stale, and what others shall hear of. */
export interface Write<Events extends EventData> extends TenantWriter {
  readonly author: Author;
  /** Reads inside the transaction. */
  readonly tenant: TenantDb;
  /** Names tags that the rows written belong to. */
  touch(...tags: string[]): void;
  /**
   * Says what was done to what: an event of the outbox, and a line of the audit log. `tipo` begins with the resource's name and a
   * dot; `dados` holds ids and choices, never personal data.
   */
  emit<Tipo extends keyof Events & string>(
    tipo: Tipo,
    recursoId: number | null,
    ...dados: Events[Tipo] extends null ? [] : [dados: Events[Tipo]]
  ): void;
}

interface WriteOptions {
  /** Tags touched from the start. */
  readonly tags?: readonly string[];
  /** Fail, before anything is written, when Redis is away, and after it when it goes away meanwhile. */
  readonly failClosed?: boolean;
}

/**
 * Runs a write of a tenant; see `createWrites`. `work` may run several times, each in a transaction of its own of which only the last
 * is kept, so it does nothing that a rollback does not undo.
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
  /** How the audit log names who writes. */
  readonly authorOf: (actor: Actor) => Author;
  /** Who is told of events beside the cache. */
  readonly consumers?: readonly Pick<Consumer, 'name' | 'wants'>[];
  /** Told of a write that was answered before its bump was confirmed. */
  readonly onUnconfirmed: (provedorId: number) => void;
}

interface Event {
  readonly tipo: string;
  readonly recurso_id: number | null;
  readonly dados: string | null;
}

/**
 * The only way to write a tenant's tables. Rows, outbox and audit log are one transaction; after the commit, and before it resolves, the
 * tags are bumped, so no process answers a later request with what was before. What changes nothing, or is refused, is answered by what
 * others have written: whatever of it has not been bumped yet is bumped first.
 */
export function createWrites<Actor, Events extends EventData>({
  db,
  gate,
  authorOf,
  consumers = [],
  onUnconfirmed,
}: WritesDeps<Actor>): WriteFor<Actor, Events> {
  async function confirm(slot: string, tags: readonly string[] | null): Promise<boolean> {
    if (tags?.length === 0) return true;
    let waitedMs = 0;
    for (;;) {
      const begun = performance.now();
      try {
        await gate.bump(slot, tags);
        return true;
      } catch {
        if (waitedMs > BUMP_PATIENCE_MS) return false;
        await sleep(BUMP_RETRY_MS);
        // A process that was frozen has not tried meanwhile: a Redis that only it has lost may be serving everyone else.
        waitedMs += Math.min(performance.now() - begun, BUMP_CREDIT_MS);
      }
    }
  }

  /** Bumps what is committed and not known to be bumped: its writer may have died, or still be trying. */
  async function confirmOthers(provedorId: number): Promise<void> {
    const { tags } = await waitingOf(createTenantDb(db, provedorId));
    if (!(await confirm(tenantSlot(provedorId), tags))) onUnconfirmed(provedorId);
  }

  async function transact<T>(
    author: Author,
    provedorId: number,
    work: (write: Write<Events>) => Promise<T>,
    tags: Set<string>,
  ): Promise<T> {
    const begun = performance.now();
    return db.transaction(async (trx) => {
      const writer = createTenantWriter(trx, provedorId);
      const events: Event[] = [];
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
      if (events.length > 0) {
        // The first names them for all: repeated in each, they would grow with the square of what is written.
        const etiquetas = JSON.stringify([...tags]);
        await insertEvents(
          writer,
          events.map((event, n) => ({ ...event, etiquetas: n === 0 ? etiquetas : '[]' })),
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

/** Puts events into the outbox, and with each a row for whoever is to be told of it. */
async function insertEvents(
  writer: TenantWriter,
  events: readonly (Event & { readonly etiquetas: string })[],
  consumers: readonly Pick<Consumer, 'name' | 'wants'>[],
): Promise<void> {
  const wanted = events.map(({ tipo }) => consumers.filter((consumer) => consumer.wants(tipo)));
  if (wanted.every(({ length }) => length === 0)) {
    await writer.insert('eventos', events);
    return;
  }
  const waiting: object[] = [];
  // One by one: the server says the first id of a statement, and not how far the next ones are apart.
  for (const [n, event] of events.entries()) {
    const evento_id = await writer.insert('eventos', event);
    for (const { name } of wanted[n] ?? []) waiting.push({ evento_id, consumidor: name });
  }
  await writer.insert('eventos_pendentes', waiting);
}

/**
 * Tries again, from its beginning, what lost to another transaction's locks, or to a row of another that it will find now; whoever loses
 * waits a random moment.
 */
async function retryOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried === TRIES || !(isLockError(error) || isFoundAgain(error))) throw error;
      await sleep(Math.random() * RETRY_MS * 2 ** (tried - 1));
    }
  }
}

const isFoundAgain = (error: unknown): boolean => error instanceof DuplicateRow && error.soughtBefore;

/** Whether a statement failed because of another transaction's locks. */
export function isLockError(error: unknown): boolean {
  return LOCK_ERRORS.includes(errnoOf(error));
}

function errnoOf(error: unknown): number {
  return error instanceof Error && 'errno' in error ? Number(error.errno) : NaN;
}

function auditLine({ tipo, recurso_id, dados }: Event, author: Author): object {
  const [recurso] = tipo.split('.');
  return {
    acao: tipo,
    recurso,
    recurso_id,
    dados,
    autor: author.name,
    ator_tipo: author.kind,
    ator_id: author.id,
    ator_tarefa: author.job,
    chave_id: author.chaveId,
    usuario_id: author.usuarioId,
    ip: author.ip,
  };
}
