import test from 'ava';
import { LRUCache } from 'lru-cache';
import { asManyAs } from '../../src/platform/as-many.ts';

test('guarda no máximo tantas quantas se disse, e larga a que há mais tempo ninguém pediu', (t) => {
  const cache = new LRUCache<string, string>(asManyAs(3));
  for (const key of ['a', 'b', 'c']) cache.set(key, key);
  cache.get('a');
  cache.set('d', 'd');
  t.deepEqual([...cache.keys()], ['d', 'a', 'c']);
});

test('não reserva o lugar de todas antes de elas virem', (t) => {
  const antes = process.memoryUsage();
  const cache = new LRUCache<string, string>(asManyAs(10_000_000));
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  t.true(heapUsed + arrayBuffers - antes.heapUsed - antes.arrayBuffers < 10_000_000);
  t.is(cache.size, 0);
});
