import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisProprio } from '../../test/support/redis-proprio.ts';

export interface FaultsDeps {
  readonly redis: RedisProprio;
  /** Processes of the service. */
  readonly servers: readonly number[];
  readonly writers: readonly number[];
}

/** What goes wrong, one after another and again from the start, with a moment of calm between. */
export function createFaults({ redis, servers, writers }: FaultsDeps) {
  let round = 0;
  const pick = (pids: readonly number[]): number => pids[round % pids.length] ?? 0;

  /** A process that does nothing for a while, and goes on as if no time had passed. */
  async function freeze(pid: number, ms: number): Promise<void> {
    process.kill(pid, 'SIGSTOP');
    try {
      await sleep(ms);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  }

  async function pauseRedis(ms: number): Promise<void> {
    redis.pausar();
    try {
      await sleep(ms);
    } finally {
      redis.continuar();
    }
  }

  async function cutConnections(times: number): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      await redis.comando('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes').catch(() => {});
      await sleep(150);
    }
  }

  async function restart(dados: 'vazio' | 'antigos', awayMs: number): Promise<void> {
    await redis.matar();
    await sleep(awayMs);
    await redis.iniciar(dados);
  }

  const faults: Readonly<Record<string, () => Promise<unknown>>> = {
    'conexões cortadas': () => cutConnections(8),
    'processo parado': () => freeze(pick(servers), 700),
    'Redis reiniciado vazio': () => restart('vazio', 400),
    'processo parado por mais tempo': () => freeze(pick(servers), 2500),
    'Redis morto e de volta com os dados': () => restart('antigos', 300),
    'Redis parado por um instante': () => pauseRedis(150),
    'Redis parado': () => pauseRedis(1400),
    'Redis e um processo parados juntos': () => Promise.all([pauseRedis(1500), freeze(pick(servers), 1400)]),
    'quem escreve parado, com a conexão cortada': () => Promise.all([freeze(pick(writers), 1500), cutConnections(3)]),
    'processo parado enquanto o Redis volta com os dados': () =>
      Promise.all([freeze(pick(servers), 1800), restart('antigos', 1300)]),
    'Redis ausente por mais tempo': () => restart('antigos', 2500),
  };

  return {
    /** Breaks things until told to stop; resolves to how many faults there were. */
    async run(stop: AbortSignal): Promise<number> {
      let done = 0;
      while (!stop.aborted) {
        for (const fault of Object.values(faults)) {
          if (stop.aborted) break;
          await fault();
          done += 1;
          await sleep(1000);
        }
        round += 1;
      }
      return done;
    },
  };
}
