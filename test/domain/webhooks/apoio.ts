import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';
import { createWebhooksConsumer } from '../../../src/app/compose/deliveries.ts';
import type { Container } from '../../../src/app/compose/container.ts';

/** What the worker does: gives the webhooks' consumer its events, and delivers what is due. */
export function entregador(container: Container) {
  const falhas: unknown[] = [];
  const { consume } = createConsuming({
    db: container.db,
    consumer: createWebhooksConsumer(container.mensagens),
    onFailure: (_id, error) => falhas.push(error),
  });
  async function consumir(): Promise<void> {
    while ((await consume()) > 0);
    if (falhas.length > 0) throw falhas[0];
  }
  async function entregar(): Promise<void> {
    await container.entregas.entregar();
    await container.entregas.terminar();
  }
  return {
    consumir,
    entregar,
    async tudo(): Promise<void> {
      await consumir();
      await entregar();
    },
  };
}
