import { atorDaChave, atorDoVisitante } from '../domain/actor.ts';
import type { Actor } from '../domain/actor.ts';
import type { Dominio, Escritas } from '../domain/dominio.ts';
import type { Repetivel } from '../domain/idempotencia/idempotencia.service.ts';
import { PROVEDOR_TAG } from '../domain/tags.ts';
import type { Ports } from '../kit/http/handler.ts';
import type { SurfaceTypes } from '../kit/http/route.ts';
import { callerMay } from './callers.ts';
import type { AppSession, Who } from './callers.ts';
import type { PortsDeps } from './ports.ts';

/** A surface whose callers have credentials of several kinds. */
export interface AppSurface extends SurfaceTypes {
  readonly session: AppSession;
  readonly domain: Dominio;
  readonly writes: Escritas;
  readonly permission: Who;
}

type Repetition = Parameters<Ports<AppSurface>['write']>[1];

/** In whose name a caller writes. */
function actorOf(session: AppSession): Actor {
  return session.kind === 'visitante' ? atorDoVisitante(session.ip) : atorDaChave(session.chave, session.ip);
}

/** Whose Idempotency-Key it is; routes that take no credential take none. */
function repeatableOf(session: AppSession, repetition: Repetition): Repetivel | null {
  if (repetition === null || session.kind === 'visitante') return null;
  return { chaveId: session.chave.id, marca: repetition.mark, pedido: repetition.request };
}

/** Connects a surface to the domain for callers of every kind. */
export function createAppPorts<T extends AppSurface>({ read, write, cache }: PortsDeps<T>): Ports<T> {
  return {
    read: async ({ provedor, reader }, trail, whole, work) => read(provedor, trail, { reader, whole }, work),

    async write(session, repetition, work) {
      const repeatable = repeatableOf(session, repetition);
      const { status, corpo } = await write(actorOf(session), session.provedor, repeatable, async (domain, writes) => {
        const written = await work(domain, writes);
        return { status: written.status, corpo: written.body };
      });
      return { status, body: corpo };
    },

    may: callerMay,

    keeping: {
      cache,
      ownerOf: ({ provedor, reader }) => ({ tenantId: provedor.id, reader }),
      implied: [PROVEDOR_TAG],
      // What is answered at one address differs between subscribers.
      apart: true,
    },
  };
}
