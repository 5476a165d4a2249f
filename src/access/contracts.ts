import type { Actor } from '../domain/actor.ts';
import type { Dominio, Escritas } from '../domain/dominio.ts';
import type { Repetivel, RespostaGuardada } from '../domain/idempotencia/guarda.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import type { Trail } from '../platform/cache/trail.ts';

/** Who reads, and whether a whole list is read. */
interface Reader {
  readonly reader: string;
  readonly whole: boolean;
}

/**
 * Runs a read of one provider within its deadline, and records on the trail what the result depends on. The work may
 * run twice; then the last result is used.
 */
export type ReadTenant = <Value>(
  provedor: Provedor,
  trail: Trail,
  who: Reader,
  work: (domain: Dominio) => Promise<Value>,
) => Promise<Value>;

/**
 * Runs what a request changes at one provider as one write, under its Idempotency-Key where it has one. The work may
 * run several times; only the last run takes effect.
 */
export type WriteTenant = (
  actor: Actor,
  provedor: Provedor,
  repeatable: Repetivel | null,
  work: (domain: Dominio, writes: Escritas) => Promise<RespostaGuardada>,
) => Promise<RespostaGuardada>;

/**
 * Does once what writes by itself at one provider, under its Idempotency-Key; whoever asks again is given the same answer.
 */
export type OnceForTenant = (
  actor: Actor,
  provedor: Provedor,
  repeatable: Repetivel,
  work: () => Promise<RespostaGuardada>,
) => Promise<RespostaGuardada>;

/** Runs what somebody changes at one provider, by no request of the public API, as one write. The work may run several times. */
export type ChangeTenant = <Value>(
  actor: Actor,
  provedor: Provedor,
  work: (domain: Dominio, writes: Escritas) => Promise<Value>,
) => Promise<Value>;
