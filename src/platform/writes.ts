import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from './database.ts';
import type { Gate } from './gate/gate.ts';
import { tenantSlot } from './gate/keys.ts';
import { createTenantWriter } from './tenant.ts';
import type { TenantWriter } from './tenant.ts';

/**
 * How long a write waits for its bump before it is answered without it. Longer than any process takes to notice that Redis is
 * away (heartbeat and command timeout: 200 ms) and than the relay takes to bump from the outbox, so by then no process
 * holds anything from before the write.
 */
const BUMP_PATIENCE_MS = 1000;
const BUMP_RETRY_MS = 50;
/** Of one try and its pause; see gate/deadline.ts. */
const BUMP_CREDIT_MS = 200;

/** One write of one tenant: rows, what they make stale, and what others shall hear of. */
export interface Write extends TenantWriter {
  /** Names tags that the rows written belong to. */
  touch(...tags: string[]): void;
  /** Adds an event to the outbox. `dados` holds ids, never personal data. */
  emit(tipo: string, recursoId: number | null, dados?: object): void;
}

interface WriteOptions {
  /** Fail, before anything is written, when Redis is away, and after it when it goes away meanwhile. */
  readonly failClosed?: boolean;
}

/** Runs a write of a tenant; see `createWrites`. */
export type WriteFor = <T>(
  provedorId: number,
  work: (write: Write) => Promise<T>,
  options?: WriteOptions & { readonly tags?: readonly string[] },
) => Promise<T>;

export interface WritesDeps {
  readonly db: Db;
  readonly gate: Pick<Gate, 'bump'>;
  /** Told of a write that was answered before its bump was confirmed. */
  readonly onUnconfirmed: (provedorId: number) => void;
}

/**
 * The only way to write a tenant's tables. Rows and outbox are one transaction; after the commit, and before it resolves, the
 * tags are bumped, so no process answers a later request with what was before.
 */
export function createWrites({ db, gate, onUnconfirmed }: WritesDeps): WriteFor {
  async function confirm(slot: string, tags: readonly string[]): Promise<boolean> {
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

  return async (provedorId, work, options = {}) => {
    const slot = tenantSlot(provedorId);
    const tags = new Set<string>(options.tags);
    if (options.failClosed === true) await gate.bump(slot, [...tags]);
    const result = await db.transaction(async (trx) => {
      const events: { tipo: string; recurso_id: number | null; dados: string | null }[] = [];
      const writer = createTenantWriter(trx, provedorId);
      const answer = await work({
        ...writer,
        touch: (...touched) => {
          for (const tag of touched) tags.add(tag);
        },
        emit: (tipo, recursoId, dados) =>
          void events.push({ tipo, recurso_id: recursoId, dados: dados === undefined ? null : JSON.stringify(dados) }),
      });
      if (events.length === 0 && tags.size > 0) events.push({ tipo: 'alteracao', recurso_id: null, dados: null });
      const etiquetas = JSON.stringify([...tags]);
      if (events.length > 0)
        await writer.insert(
          'eventos',
          events.map((event) => ({ ...event, etiquetas })),
        );
      return answer;
    });
    if (tags.size > 0 && !(await confirm(slot, [...tags]))) {
      if (options.failClosed === true) {
        throw new Error('A alteração foi gravada, mas o Redis não a confirmou a tempo; repita para confirmá-la.');
      }
      onUnconfirmed(provedorId);
    }
    return result;
  };
}
