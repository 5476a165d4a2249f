import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createAsked } from '../../../src/platform/gate/asked.ts';
import { askedKey } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { redisUrl } from '../../support/banco.ts';

async function processo(t: ExecutionContext, url: string) {
  const redis = createRedis(url, 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  const asked = createAsked({ redis });
  t.teardown(() => {
    asked.close();
    redis.disconnect();
  });
  return { redis, asked };
}

test('de quem se pergunta muito, outro processo sabe; de quem se pergunta pouco, ou sem Redis, não', async (t) => {
  const url = await redisUrl();
  const [um, outro] = [await processo(t, url), await processo(t, url)];
  const [muito, pouco] = ['malha:{asked-muito}', 'malha:{asked-pouco}'];
  t.false(await outro.asked.isMuch(muito));
  um.asked.note(pouco);
  while (!(await outro.asked.isMuch(muito))) for (let n = 0; n < 100; n += 1) um.asked.note(muito);
  t.false(await outro.asked.isMuch(pouco));
  const ttl = await um.redis.pttl(askedKey(muito));
  t.true(ttl > 0 && ttl <= 3000, String(ttl));
  outro.redis.disconnect();
  t.false(await outro.asked.isMuch(muito));
});
