import test from 'ava';
import { pino } from 'pino';
import { FORMATS } from '../../src/kit/fields/formats.ts';
import { createInput } from '../../src/kit/input/input.ts';
import type { ObjectSchema, Schema } from '../../src/platform/schema-type.ts';
import { entrada as doApp } from '../../src/surfaces/app-api/entrada.ts';
import { ROTAS as ROTAS_DO_APP } from '../../src/surfaces/app-api/rotas.ts';
import { entrada as doPsp } from '../../src/surfaces/psp/entrada.ts';
import { criarRota as criarRotaDoPsp } from '../../src/surfaces/psp/rota.ts';
import { entrada as publica } from '../../src/surfaces/public-api/entrada.ts';
import { ROTAS } from '../../src/surfaces/public-api/rotas.ts';

const BODY = { limit: '64kb', messages: { type: 't', encoding: 'e', size: 's', json: 'j' } };

test('o esquema de uma rota só se compila quando lhe chega um pedido', async (t) => {
  const input = createInput({ formats: FORMATS, invalid: 'parametro_invalido', body: BODY });
  const query = { type: 'object', additionalProperties: false, properties: { a: { type: 'nada' } } };
  const read = input.of({ params: {}, query: query as unknown as ObjectSchema });
  const asked = { params: {}, query: '', body: { json: undefined } };
  await t.throwsAsync(read(asked, null), { message: /^schema is invalid/ });
  const good = input.of({
    params: {},
    query: { ...query, properties: { a: { type: 'integer', default: 7 } } } as never,
  });
  t.deepEqual((await good(asked, null)).query, { a: 7 });
  await t.throwsAsync(good({ ...asked, query: 'a=x' }, null), { message: /^a: / });
});

test('todos os esquemas de todas as rotas se compilam', (t) => {
  for (const [entrada, rotas] of [
    [publica, ROTAS],
    [doApp, ROTAS_DO_APP],
    [doPsp, [criarRotaDoPsp(pino({ enabled: false }))]],
  ] as const) {
    for (const rota of rotas) {
      const body: Schema | null = rota.kind === 'write' ? (rota.body?.schema ?? null) : null;
      const parts: (Schema | null)[] = [...Object.values(rota.params), rota.query, body];
      for (const schema of parts) {
        if (schema !== null) t.notThrows(() => entrada.check(schema)({}), `${rota.method} ${rota.path}`);
      }
    }
  }
});
