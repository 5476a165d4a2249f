import type { Actor } from '../domain/actor.ts';
import type { Dominio, Escritas } from '../domain/dominio.ts';
import type { Repetivel, RespostaGuardada } from '../domain/idempotencia/idempotencia.service.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import type { Trail } from '../platform/cache/trail.ts';

/** Who reads, and whether a whole list. */
interface Reader {
  readonly reader: string;
  readonly whole: boolean;
}

/**
 * Reads of a provider, saying on the trail what that depends on; ends what takes too long. The work may run twice, and then the last
 * counts.
 */
export type Read = <Value>(
  provedor: Provedor,
  trail: Trail,
  who: Reader,
  work: (dominio: Dominio) => Promise<Value>,
) => Promise<Value>;

/**
 * Runs what a request changes of a provider as one write, under its Idempotency-Key where it has one. The work may run several times,
 * and only the last counts.
 */
export type Write = (
  actor: Actor,
  provedor: Provedor,
  repetivel: Repetivel | null,
  work: (dominio: Dominio, escritas: Escritas) => Promise<RespostaGuardada>,
) => Promise<RespostaGuardada>;
