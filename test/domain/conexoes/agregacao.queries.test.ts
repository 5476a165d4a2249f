import test from 'ava';
import { createAgregacaoQueries } from '../../../src/domain/conexoes/agregacao.queries.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';

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
