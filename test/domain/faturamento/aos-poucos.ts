import { demandKey, tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import type { Api } from '../../support/api.ts';

/** From now on it is as if some process were asked much about a provider. */
export async function perguntarMuito(api: Api, provedorId: number): Promise<void> {
  const redis = createRedis(api.redisUrl, 'queue', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  await redis.set(demandKey(tenantSlot(provedorId)), 1);
  redis.disconnect();
}
