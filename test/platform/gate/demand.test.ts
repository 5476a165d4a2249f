import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createDemand } from '../../../src/platform/gate/demand.ts';
import { demandKey } from '../../../src/platform/gate/keys.ts';
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

test('de quem se pergunta muito, outro processo sabe; de quem se pergunta pouco, ou sem Redis, não', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await processo(t, url), await processo(t, url)];
  const [muito, pouco] = ['malha:{demand-muito}', 'malha:{demand-pouco}'];
  t.false(await outro.demand.isMuch(muito));
  um.demand.note(pouco);
  while (!(await outro.demand.isMuch(muito))) for (let n = 0; n < 100; n += 1) um.demand.note(muito);
  t.false(await outro.demand.isMuch(pouco));
  // It ends by itself.
  t.not(await um.redis.pttl(demandKey(muito)), -1);
  outro.redis.disconnect();
  t.false(await outro.demand.isMuch(muito));
});
