import test from 'ava';
import { closed } from '../../src/platform/schema-type.ts';
import type { TypeOf } from '../../src/platform/schema-type.ts';

const texto = { type: 'string' } as const;

test('o que um esquema fechado exige segue das suas propriedades, na ordem delas', (t) => {
  const esquema = closed('Coisa', { a: texto, b: { type: ['integer', 'null'] }, c: texto }, { optional: ['c'] });
  t.is(
    JSON.stringify(esquema),
    '{"title":"Coisa","type":"object","additionalProperties":false,"required":["a","b"],' +
      '"properties":{"a":{"type":"string"},"b":{"type":["integer","null"]},"c":{"type":"string"}}}',
  );
  t.is(
    JSON.stringify(closed(null, { a: texto }, { description: 'Uma só.' })),
    '{"type":"object","description":"Uma só.","additionalProperties":false,"required":["a"],"properties":{"a":{"type":"string"}}}',
  );
});

test('o tipo do que um esquema fechado admite não compila sem o que ele exige, nem com o que ele não tem', (t) => {
  const esquema = closed('Coisa', { a: texto, dentro: closed(null, { b: texto }), c: texto }, { optional: ['c'] });
  type Coisa = TypeOf<typeof esquema>;
  const inteira: Coisa = { a: 'x', dentro: { b: 'y' } };
  // @ts-expect-error -- `a` is missing
  const semA: Coisa = { dentro: { b: 'y' }, c: 'z' };
  // @ts-expect-error -- `b` is missing inside
  const semB: Coisa = { a: 'x', dentro: {} };
  // @ts-expect-error -- `d` is not of the schema
  const comD: Coisa = { a: 'x', dentro: { b: 'y' }, d: 'z' };
  // @ts-expect-error -- `d` is no property that could be optional
  const outro = closed(null, { a: texto }, { optional: ['d'] });
  t.deepEqual(outro.required, ['a']);
  t.is([inteira, semA, semB, comD].length, 4);
});
