import { atorDaChave, atorDoAssinante, atorDoUsuario, atorDoVisitante } from '../domain/actor.ts';
import type { Actor } from '../domain/actor.ts';
import type { PedidosDeAcessoService } from '../domain/acessos/codigos/pedidos.service.ts';
import type { EntradaNoAppService } from '../domain/acessos/entrada/entrada.service.ts';
import type { EscolhaDeSenhaService } from '../domain/acessos/entrada/escolha-de-senha.service.ts';
import type { RodizioService } from '../domain/acessos/sessoes/rodizio.service.ts';
import type { SessoesDoAppService } from '../domain/acessos/sessoes/sessoes.service.ts';
import type { Dominio, Escritas } from '../domain/dominio.ts';
import type { DonoDoPedido } from '../domain/idempotencia/guarda.ts';
import type { EntradaDaEquipeService } from '../domain/usuarios/app/entrada-no-app.service.ts';
import type { PushService } from '../domain/push/push.service.ts';
import type { ReenvioService } from '../domain/webhooks/registro/reenvio.service.ts';
import type { RegistroDeWebhooksService } from '../domain/webhooks/registro/registro.service.ts';
import type { TesteDeWebhooksService } from '../domain/webhooks/registro/teste.service.ts';
import type { WebhooksService } from '../domain/webhooks/webhooks.service.ts';
import { PROVEDOR_TAG } from '../domain/tags.ts';
import type { Ports } from '../kit/http/ports.ts';
import type { SurfaceTypes } from '../kit/http/route.ts';
import type { Relogio } from '../platform/timing/relogio.ts';
import type { Attempts } from './attempts.ts';
import { callerMay } from './callers.ts';
import type { AppSession, Who } from './callers.ts';
import type { OnceForTenant } from './contracts.ts';
import { createPeople } from './rights/people.ts';
import { repeatedBy } from './ports.ts';
import type { PortsDeps } from './ports.ts';

type Entradas = EntradaNoAppService & EscolhaDeSenhaService & EntradaDaEquipeService & PedidosDeAcessoService;

/**
 * What is called outside of the kit's writes: signing in compares passwords first, and ends sessions in every process; a test of a webhook
 * waits for its receiver.
 */
export interface AppServices {
  readonly app: Entradas & RodizioService & SessoesDoAppService;
  readonly webhooks: WebhooksService & RegistroDeWebhooksService & ReenvioService & TesteDeWebhooksService;
  readonly push: Pick<PushService, 'configuracao'>;
  readonly attempts: Attempts;
  readonly relogio: Relogio;
}

/** A surface whose callers have credentials of several kinds. */
export interface AppSurface extends SurfaceTypes {
  readonly session: AppSession;
  readonly domain: Dominio;
  readonly writes: Escritas;
  readonly permission: Who;
  readonly services: AppServices;
}

/** In whose name a caller writes. */
export function actorOf(session: AppSession): Actor {
  switch (session.kind) {
    case 'visitante':
      return atorDoVisitante(session);
    case 'cliente':
      return atorDoAssinante({ id: session.quem.clienteId }, session);
    case 'equipe':
      return atorDoUsuario(session.quem, session);
    case 'chave':
      break;
  }
  return atorDaChave(session.chave, session);
}

/** Whose an Idempotency-Key is: a subscriber's serves him on every device, as a user's does. Null of who has no credential. */
function ownerOf(session: AppSession): DonoDoPedido | null {
  switch (session.kind) {
    case 'visitante':
      return null;
    case 'cliente':
      return { acessoId: session.quem.acessoId };
    case 'equipe':
      return { usuarioId: session.quem.id };
    case 'chave':
      break;
  }
  return { chaveId: session.chave.id };
}

/** Connects a surface to the domain for callers of every kind. */
export function createAppPorts<T extends AppSurface>({
  read,
  write,
  once,
  cache,
  looks,
  services,
}: PortsDeps<T> & { readonly services: AppServices; readonly once: OnceForTenant }): Ports<T> {
  return {
    read: async ({ provedor, reader }, trail, whole, work) => read(provedor, trail, { reader, whole }, work),

    async write(session, repetition, work) {
      const dono = ownerOf(session);
      const repeatable = repetition === null || dono === null ? null : repeatedBy(dono, repetition);
      const { status, corpo } = await write(actorOf(session), session.provedor, repeatable, async (domain, writes) => {
        const written = await work(domain, writes);
        return { status: written.status, corpo: written.body };
      });
      return { status, body: corpo };
    },

    async once(session, repetition, work) {
      const dono = ownerOf(session);
      if (dono === null) return work();
      const repeatable = repeatedBy(dono, repetition);
      const { status, corpo } = await once(actorOf(session), session.provedor, repeatable, async () => {
        const done = await work();
        return { status: done.status, corpo: done.body };
      });
      return { status, body: corpo };
    },

    may: callerMay,
    rightsOf: ({ rights }) => rights,
    people: createPeople<T>(looks),
    services,

    keeping: {
      cache,
      ownerOf: ({ provedor, reader }) => ({ tenantId: provedor.id, reader }),
      implied: [PROVEDOR_TAG],
      // What is answered at one address differs between subscribers.
      apart: true,
    },
  };
}
