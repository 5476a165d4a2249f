import { atorDaChave } from '../domain/actor.ts';
import { escreverExigencia } from '../domain/chaves/chaves.types.ts';
import type { Exigencia } from '../domain/chaves/chaves.types.ts';
import type { Dominio, Escritas } from '../domain/dominio.ts';
import type { DonoDoPedido, Repetivel } from '../domain/idempotencia/guarda.ts';
import { PROVEDOR_TAG } from '../domain/tags.ts';
import type { Ports, Repetition } from '../kit/http/ports.ts';
import type { Route, SurfaceTypes } from '../kit/http/route.ts';
import type { ResponseCache } from '../platform/cache/response-cache.ts';
import type { ReadTenant, WriteTenant } from './contracts.ts';
import type { Looks } from '../platform/gate/looks.ts';
import type { Attempts } from './attempts.ts';
import { keyMay } from './keys.ts';
import type { KeySession } from './keys.ts';
import { createPeople } from './rights/people.ts';

/** What routes for keys call before their write. */
interface KeyServices {
  readonly attempts: Pick<Attempts, 'confer' | 'sendCopy'>;
}

/** A surface whose callers have API keys. */
export interface KeySurface extends SurfaceTypes {
  readonly session: KeySession;
  readonly domain: Dominio;
  readonly writes: Escritas;
  readonly permission: Exigencia;
  readonly services: KeyServices;
}

export interface PortsDeps<T extends SurfaceTypes> {
  readonly read: ReadTenant;
  readonly write: WriteTenant;
  readonly cache: ResponseCache<Route<T>>;
  /** Counts what keys find out that are kept from something. */
  readonly looks: Pick<Looks, 'count'>;
}

export interface KeyPortsDeps<T extends KeySurface> extends PortsDeps<T> {
  readonly services: KeyServices;
}

/** A repeated request as the domain is told of it. */
export const repeatedBy = (dono: DonoDoPedido, { mark, request, secret }: Repetition): Repetivel => ({
  dono,
  marca: mark,
  pedido: request,
  secreto: secret,
});

/** Connects a surface to the domain for callers with an API key. */
export function createKeyPorts<T extends KeySurface>({
  read,
  write,
  cache,
  looks,
  services,
}: KeyPortsDeps<T>): Ports<T> {
  return {
    read: async ({ provedor, reader }, trail, whole, work) => read(provedor, trail, { reader, whole }, work),

    async write(session, repetition, work) {
      const { provedor, chave } = session;
      const repeatable = repetition === null ? null : repeatedBy({ chaveId: chave.id }, repetition);
      const { status, corpo } = await write(
        atorDaChave(chave, session),
        provedor,
        repeatable,
        async (domain, writes) => {
          const written = await work(domain, writes);
          return { status: written.status, corpo: written.body };
        },
      );
      return { status, body: corpo };
    },

    may: keyMay,
    nameOf: (permission) => escreverExigencia(permission),
    rightsOf: ({ rights }) => rights,
    people: createPeople<T>(looks),
    services,

    keeping: {
      cache,
      ownerOf: ({ provedor, reader }) => ({ tenantId: provedor.id, reader }),
      implied: [PROVEDOR_TAG],
    },
  };
}
