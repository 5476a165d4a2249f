import type { Logger } from 'pino';
import type { EntregasService } from '../../domain/webhooks/entregas/entregas.service.ts';
import { CONSUMIDOR_DE_PUSH } from '../../domain/push/mensagens/consumo.service.ts';
import type { ConsumoDePushService } from '../../domain/push/mensagens/consumo.service.ts';
import { CONSUMIDOR } from '../../domain/webhooks/mensagens/mensagens.service.ts';
import type { MensagensService } from '../../domain/webhooks/mensagens/mensagens.service.ts';
import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import { repeat } from '../../platform/timing/repeater.ts';

/** How soon after it is due a delivery begins, where nothing else of its target is under way. */
const INTERVAL_MS = 200;

/** Writes the messages of what happened. */
export const createWebhooksConsumer = (mensagens: Pick<MensagensService, 'consumir'>): Consumer => ({
  ...CONSUMIDOR,
  consume: async (w, events, tenant) => mensagens.consumir(w, tenant, events),
});

/** Writes what is to be sent to devices of what happened. */
export const createPushConsumer = (consumo: Pick<ConsumoDePushService, 'consumir'>): Consumer => ({
  ...CONSUMIDOR_DE_PUSH,
  consume: async (w, events, tenant) => consumo.consumir(w, tenant, events),
});

/** Delivers what is due, as long as the worker runs. `stop` waits for what is under way. @param what is delivered, for the log */
export function startDeliveries(
  entregas: Pick<EntregasService, 'entregar' | 'parar'>,
  what: string,
  logger: Logger,
): { stop(): Promise<void> } {
  const looking = repeat(
    async () => {
      await entregas.entregar();
      return { more: false };
    },
    { intervalMs: INTERVAL_MS, onError: (error) => logger.warn({ err: error }, `${what} por entregar`) },
  );
  return {
    async stop() {
      await Promise.all([looking.stop(), entregas.parar()]);
    },
  };
}
