import type { ExecutionContext } from 'ava';
import { createGate } from '../../src/platform/gate/gate.ts';
import type { GateDeps, GateMode } from '../../src/platform/gate/gate.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';

/** One process's gate on a Redis that is there; `modos` are those that it has entered since, `motivos` the same with why. */
export async function criarGate(
  t: ExecutionContext,
  url: string,
  limites: Pick<GateDeps, 'deadlineMs' | 'trustMs'> = {},
) {
  const redis = createRedis(url, 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  const modos: GateMode[] = [];
  const motivos: string[] = [];
  const gate = createGate({
    ...limites,
    redis,
    onMode(modo, motivo) {
      modos.push(modo);
      motivos.push(`${modo} ${motivo?.message ?? ''}`);
    },
  });
  t.teardown(() => {
    gate.close();
    redis.disconnect();
  });
  return { redis, gate, modos, motivos };
}
