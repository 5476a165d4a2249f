import test from 'ava';
import { createMemoria } from '../../../src/domain/indicadores/memoria.service.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';

/** A number of so many rows that is another at each counting. */
function contagem(linhas: number) {
  const relogio = relogioEm(AGORA);
  const memoria = createMemoria(relogio);
  let vezes = 0;
  return {
    vezes: () => vezes,
    depois: (segundos: number) => relogio.definir(new Date(Date.parse(AGORA) + segundos * 1000).toISOString()),
    pedir: async () =>
      memoria.lembrar(1, 'um', async () => {
        vezes += 1;
        return { valor: vezes, linhas };
      }),
  };
}

test('o que é de poucas linhas é contado a cada pedido', async (t) => {
  const { pedir } = contagem(10_000);
  await pedir();
  t.is((await pedir()).valor, 2);
});

for (const [linhas, fresco, velho] of [
  [10_001, 5, 60],
  [100_001, 60, 600],
] as const) {
  test(`de ${linhas} linhas vale ${fresco} s, e até ${velho} s é dito mais uma vez enquanto se conta de novo`, async (t) => {
    const { pedir, depois, vezes } = contagem(linhas);
    const { de } = await pedir();
    depois(fresco - 1);
    t.deepEqual(await pedir(), { valor: 1, de });
    t.is(vezes(), 1);
    depois(fresco);
    t.is((await pedir()).valor, 1);
    t.is(vezes(), 2);
    depois(fresco + velho + 1);
    t.is((await pedir()).valor, 3);
  });
}
