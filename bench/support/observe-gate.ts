import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

/**
 * How many keys the gate's script call names for one request that hits the cache, as Redis sees it.
 *
 * @throws Error when the request costs anything but one EVALSHA.
 */
export async function keysOfOneHit(redisUrl: string, ask: () => Promise<unknown>): Promise<number> {
  const redis = new Redis(redisUrl);
  const monitor = await redis.monitor();
  try {
    const commands: string[][] = [];
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      const heartbeat = args[0]?.toLowerCase() === 'ping';
      if (!heartbeat && source !== 'lua') commands.push(args);
    });
    await ask();
    await sleep(200);
    const [only, ...more] = commands;
    if (only?.[0]?.toLowerCase() !== 'evalsha' || more.length > 0) {
      throw new Error(`a hit is not one EVALSHA: ${commands.map(([name]) => name).join(', ')}`);
    }
    return Number(only[2]);
  } finally {
    monitor.disconnect();
    redis.disconnect();
  }
}
