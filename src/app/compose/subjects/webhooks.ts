import type { Logger } from 'pino';
import { atorDaTarefa } from '../../../domain/actor.ts';
import { createEntregasService } from '../../../domain/webhooks/entregas/entregas.service.ts';
import type { EntregasDeps } from '../../../domain/webhooks/entregas/entregas.service.ts';
import { createReenvioService } from '../../../domain/webhooks/registro/reenvio.service.ts';
import type { ReenvioDeps } from '../../../domain/webhooks/registro/reenvio.service.ts';
import { createRegistroDeWebhooksService } from '../../../domain/webhooks/registro/registro.service.ts';
import { createTesteDeWebhooksService } from '../../../domain/webhooks/registro/teste.service.ts';
import { createWebhooksService } from '../../../domain/webhooks/webhooks.service.ts';
import type { WebhooksDeps } from '../../../domain/webhooks/webhooks.service.ts';

interface WebhookDeps extends Pick<EntregasDeps, 'provedores' | 'correio'>, Pick<ReenvioDeps, 'mensagens'> {
  readonly deWebhooks: WebhooksDeps & Omit<EntregasDeps, 'provedores' | 'correio' | 'autor' | 'aoFalhar'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Webhooks: their settings, logs and tests, and what delivers to them. */
export function composeWebhooks({ deWebhooks, provedores, correio, mensagens, logger }: WebhookDeps) {
  const { db, relogio, write } = deWebhooks;
  return {
    webhooks: {
      ...createWebhooksService(deWebhooks),
      ...createRegistroDeWebhooksService({ db }),
      ...createReenvioService({ relogio, write, mensagens }),
      ...createTesteDeWebhooksService(deWebhooks),
    },
    entregas: createEntregasService({
      ...deWebhooks,
      autor: atorDaTarefa('webhooks.entregar'),
      provedores,
      correio,
      aoFalhar: (alvo, error) => logger.warn({ ...alvo, err: error }, 'webhook por entregar'),
    }),
  };
}
