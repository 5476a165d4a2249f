import { setTimeout as sleep } from 'node:timers/promises';
import { monitorar } from '../../test/support/monitor.ts';

/**
 * How many tags the gate's script call reads for one request that hits the cache, as Redis sees it.
 *
 * @throws Error when no request of several costs just one EVALSHA.
 */
export async function tagsOfOneHit(redisUrl: string, ask: () => Promise<unknown>): Promise<number> {
  const monitor = await monitorar(redisUrl);
  try {
    // On a busy machine Redis may seem away for a moment, and what follows is a miss.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const begun = monitor.pedidos.length;
      await ask();
      await sleep(200);
      const [only, ...more] = monitor.pedidos.slice(begun);
      if (only?.[0]?.toLowerCase() === 'evalsha' && more.length === 0) {
        const before = ['evalsha', 'sha', 'keys', ...Array<string>(Number(only[2])), 'window', 'era', 'ttl'];
        return only.length - before.length;
      }
    }
    throw new Error(`a hit is not one EVALSHA: ${monitor.comandos.join(', ')}`);
  } finally {
    monitor.fechar();
  }
}
