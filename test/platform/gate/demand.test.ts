import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createDemand } from '../../../src/platform/gate/demand.ts';
import { demandKey, networkSlot, tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';

async function processo(t: ExecutionContext, url: string) {
  const redis = createRedis(url, 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  const demand = createDemand({ redis });
  t.teardown(() => {
    demand.close();
    redis.disconnect();
  });
  return { redis, demand };
}

test('de quem se pergunta muito, outro processo sabe; de quem se pergunta pouco, de uma rede, ou sem Redis, não', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await processo(t, url), await processo(t, url)];
  const [muito, pouco, rede] = [tenantSlot(1), tenantSlot(2), networkSlot('192.0.2.1')];
  t.false(await outro.demand.isMuch(muito));
  um.demand.note(pouco);
  while (!(await outro.demand.isMuch(muito))) {
    for (let n = 0; n < 100; n += 1) for (const slot of [muito, rede]) um.demand.note(slot);
  }
  for (const slot of [pouco, rede]) t.false(await outro.demand.isMuch(slot));
  // It ends by itself.
  t.not(await um.redis.pttl(demandKey(muito)), -1);
  outro.redis.disconnect();
  t.false(await outro.demand.isMuch(muito));
});
