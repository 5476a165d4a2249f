import test from 'ava';
import { anyOf, asAnyKind } from '../../src/access/kinds.ts';
import { vindoDe } from '../support/autor.ts';
import type { Provedor } from '../../src/domain/provedores/provedores.types.ts';

const provedor = { id: 1 } as Provedor;

/** A kind of credential whose texts begin with a word. */
const kind = (word: string, limit: number, used: string[]) =>
  asAnyKind({
    shapeOf: (text) => (text.startsWith(word) ? { tenantId: 1, name: text, hash: text } : null),
    find: async (hash) => (hash === `${word}-known` ? { provedor, word } : null),
    endedBy: (record) => (record.word === 'token' ? 'token_expirado' : null),
    barredFrom: (_record, ip) => (ip === '10.0.0.9' ? `${word}_barred` : null),
    limitOf: () => limit,
    rightsOf: (record) => ({ name: record.word, restricted: null }),
    sessionOf: (record, { ip }, { name }) => `${record.word} ${ip} ${name}`,
    onAdmitted: (record) => used.push(record.word),
  });

test('uma porta aceita credenciais de vários tipos: cada texto é do seu, que julga o seu registro', async (t) => {
  const used: string[] = [];
  const both = anyOf([kind('key', 60, used), kind('token', 120, used)], {
    textOf: () => null,
    refusals: { absent: 'absent', unknown: (text) => `unknown ${text.slice(0, 1)}`, limited: 'limited' },
  });
  t.is(both.shapeOf('other-known'), null);
  for (const [word, limit, ended] of [
    ['key', 60, null],
    ['token', 120, 'token_expirado'],
  ] as const) {
    const shape = both.shapeOf(`${word}-known`);
    t.like(shape, { tenantId: 1, name: `${word}-known` });
    const record = await both.find(shape!.hash);
    t.is(record!.provedor, provedor);
    t.is(both.limitOf(record!), limit);
    t.is(both.endedBy(record!, new Date()), ended);
    t.deepEqual([both.barredFrom(record!, '10.0.0.1'), both.barredFrom(record!, '10.0.0.9')], [null, `${word}_barred`]);
    t.is(both.sessionOf(record!, vindoDe('10.0.0.1'), shape!), `${word} 10.0.0.1 ${word}-known`);
    both.onAdmitted?.(record!);
    t.is(await both.find(both.shapeOf(`${word}-unknown`)!.hash), null);
  }
  t.deepEqual(used, ['key', 'token']);
  t.not(both.shapeOf('key-known')!.hash, both.shapeOf('token-known')!.hash);
  t.is(both.refusals.unknown('token-x'), 'unknown t');
});
