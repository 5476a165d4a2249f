import type { Logger } from 'pino';
import type { PublicacaoService } from '../../domain/eventos/publicacao.service.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createConsuming } from '../../platform/mysql/outbox-consumer.ts';
import type { Consumer } from '../../platform/mysql/outbox-consumer.ts';
import { repeat } from '../../platform/timing/repeater.ts';

/** A bump that is missing after a crash is made up for within this time, plus the time that the bump takes. */
const INTERVAL_MS = 250;

/** How often a process that answers requests checks until when everything has been published. */
const CHECK_MS = 2000;

/** Events of one provider in one turn, in a process that also answers requests. A turn takes a few milliseconds. */
const BESIDE_REQUESTS = 200;

export interface RelayDeps {
  /** Publishes the outbox. */
  readonly publicacao: Pick<PublicacaoService, 'publicar'>;
  readonly logger: Logger;
}

export interface RelayBesideRequestsDeps extends RelayDeps {
  readonly publicacao: Pick<PublicacaoService, 'publicar' | 'conferir'>;
  readonly isRedisAway: () => boolean;
}

/**
 * The worker's relay: it publishes the outbox until nothing waits. It also runs while the Redis of the queues is away.
 */
export function startRelay({ publicacao, logger }: RelayDeps): { stop(): Promise<void> } {
  return repeat(async () => ({ more: (await publicacao.publicar()) > 0 }), {
    intervalMs: INTERVAL_MS,
    onError: (error) => logger.warn({ err: error }, 'eventos por publicar'),
  });
}

/**
 * The relay of a process that answers requests. With it, the cache hears within a second of what another program wrote,
 * even when no worker runs, or when the worker, which has lower priority, gets no processor time. A backlog is left to
 * the worker.
 */
export function startRelayBesideRequests({ publicacao, logger, isRedisAway }: RelayBesideRequestsDeps): {
  stop(): Promise<void>;
} {
  const turn = async (): Promise<{ more: false }> => {
    // Without Redis nothing can be published, and all reads need the database.
    if (!isRedisAway()) await publicacao.publicar(BESIDE_REQUESTS);
    return { more: false };
  };
  const check = async (): Promise<{ more: false }> => {
    await publicacao.conferir();
    return { more: false };
  };
  // Logged at `debug` only: the gate reports that Redis is away, and the worker reports what waits.
  const onError = (error: unknown): void => logger.debug({ err: error }, 'eventos por publicar');
  const loops = [repeat(turn, { intervalMs: INTERVAL_MS, onError }), repeat(check, { intervalMs: CHECK_MS, onError })];
  return {
    async stop() {
      await Promise.all(loops.map(async (loop) => loop.stop()));
    },
  };
}

/**
 * Gives a consumer the events that wait for it. Each consumer runs alone, so a failure of one does not delay others.
 */
export function startConsumer({ db, consumer, logger }: { db: Db; consumer: Consumer; logger: Logger }): {
  stop(): Promise<void>;
} {
  const failed = (error: unknown, provedorId?: number): void =>
    logger.warn({ err: error, consumidor: consumer.name, provedorId }, 'eventos por consumir');
  const { consume } = createConsuming({ db, consumer, onFailure: (id, error) => failed(error, id) });
  return repeat(async () => ({ more: (await consume()) > 0 }), { intervalMs: INTERVAL_MS, onError: failed });
}
