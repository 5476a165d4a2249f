import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { PULSE_SLOT, bumpsKey } from '../../src/platform/gate/keys.ts';

/**
 * How many tags the gate's script call reads for one request that hits the cache, as Redis sees it.
 *
 * @throws Error when no request of several costs just one EVALSHA.
 */
export async function tagsOfOneHit(redisUrl: string, ask: () => Promise<unknown>): Promise<number> {
  const redis = new Redis(redisUrl);
  const monitor = await redis.monitor();
  let commands: string[][] = [];
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    const heartbeat = args.includes(bumpsKey(PULSE_SLOT));
    if (!heartbeat && source !== 'lua') commands.push(args);
  });
  try {
    // On a busy machine Redis may seem away for a moment, and what follows is a miss.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      commands = [];
      await ask();
      await sleep(200);
      const [only, ...more] = commands;
      if (only?.[0]?.toLowerCase() === 'evalsha' && more.length === 0) {
        const before = ['evalsha', 'sha', 'keys', ...Array<string>(Number(only[2])), 'window', 'era', 'ttl'];
        return only.length - before.length;
      }
    }
    throw new Error(`a hit is not one EVALSHA: ${commands.map(([name]) => name).join(', ')}`);
  } finally {
    monitor.disconnect();
    redis.disconnect();
  }
}
