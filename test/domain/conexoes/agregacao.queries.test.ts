import test from 'ava';
import { createAgregacaoQueries } from '../../../src/domain/conexoes/agregacao.queries.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { lidas } from '../../support/leituras.ts';
import { criarProvedor } from './apoio.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(async () => {
  await banco.fechar();
});

test('a conexão em que marcar falhou volta ao pool com os limites que tinha', async (t) => {
  const { db } = banco;
  await db.raw('RENAME TABLE conexoes_pendentes TO conexoes_sumidas');
  await db.transaction(async (trx) => {
    const limites = async (): Promise<unknown> =>
      (await trx.raw<object[][]>('SELECT @@tmp_table_size AS tmp, @@max_heap_table_size AS heap'))[0]![0];
    const antes = await limites();
    const erro = await t.throwsAsync(createAgregacaoQueries(trx).marcarDasMudancas({ total: 1, de: 1, ate: 1 }));
    t.is((erro as { errno?: number }).errno, 1146);
    t.deepEqual(await limites(), antes);
  });
});

test('as quedas de contratos se acham pela chave, ainda que o servidor tenha a tabela por vazia', async (t) => {
  const logins = Array.from({ length: 60 }, (_, n) => `quedas-${n}`);
  const { id, contratos } = await criarProvedor(banco.db, { host: 'q.test', nas: [], logins });
  // One connection, of which nobody else passes rows.
  const so = createDatabase({ url: banco.url, pool: 1 });
  t.teardown(async () => so.destroy());
  await so.raw('ANALYZE TABLE quedas_diarias');
  const dias = Array.from({ length: 28 }, (_, n) => `2026-11-${String(n + 1).padStart(2, '0')}`);
  await so('quedas_diarias').insert(
    contratos.flatMap((contrato_id) => dias.map((dia) => ({ provedor_id: id, contrato_id, dia, quedas: 1 }))),
  );
  const chaves = contratos.slice(0, 20).map((contrato_id) => ({ provedor_id: id, contrato_id }));
  let achadas: unknown[] = [];
  const passadas = await lidas(so, async () => {
    achadas = await createAgregacaoQueries(so).quedasGravadas(chaves, '2026-11-01');
  });
  t.is(achadas.length, 20 * 28);
  t.true(passadas < 2 * achadas.length, String(passadas));
});
