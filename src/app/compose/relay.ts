import type { Logger } from 'pino';
import type { PublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createConsuming } from '../../platform/mysql/outbox-consumer.ts';
import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import { repeat } from '../../platform/timing/repeater.ts';

/** A crash between a commit and its bump heals after at most this long, and the time of a bump. */
const INTERVAL_MS = 250;

/** Of one provider in a turn of a process that answers requests: a few milliseconds of it. */
const BESIDE_REQUESTS = 200;

export interface RelayDeps {
  /** Publishes the outbox. */
  readonly publicacao: Pick<PublicacaoService, 'publicar'>;
  readonly logger: Logger;
}

/** The worker's relay: what waits in the outbox is published until nothing waits. It runs while the queues' Redis is away, too. */
export function startRelay({ publicacao, logger }: RelayDeps): { stop(): Promise<void> } {
  return repeat(async () => ({ more: (await publicacao.publicar()) > 0 }), {
    intervalMs: INTERVAL_MS,
    onError: (error) => logger.warn({ err: error }, 'eventos por publicar'),
  });
}

/**
 * The relay of a process that answers requests. What another program wrote is to be heard of within a second also where no worker runs, or
 * where this machine's processors are taken and the worker, of lower priority, gets none. A backlog is left to the worker.
 */
export function startRelayBesideRequests({ publicacao, logger }: RelayDeps): { stop(): Promise<void> } {
  const turn = async (): Promise<{ more: false }> => {
    await publicacao.publicar(BESIDE_REQUESTS);
    return { more: false };
  };
  // Redis away is said by the gate, and what waits by the worker.
  return repeat(turn, {
    intervalMs: INTERVAL_MS,
    onError: (error) => logger.debug({ err: error }, 'eventos por publicar'),
  });
}

/** Gives a consumer of the outbox what waits for it; what one fails at holds up no other. */
export function startConsumer({ db, consumer, logger }: { db: Db; consumer: Consumer; logger: Logger }): {
  stop(): Promise<void>;
} {
  const failed = (error: unknown, provedorId?: number): void =>
    logger.warn({ err: error, consumidor: consumer.name, provedorId }, 'eventos por consumir');
  const { consume } = createConsuming({ db, consumer, onFailure: (id, error) => failed(error, id) });
  return repeat(async () => ({ more: (await consume()) > 0 }), { intervalMs: INTERVAL_MS, onError: failed });
}
