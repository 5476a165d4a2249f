import test from 'ava';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarCelula, estados, moverComoProcesso } from './apoio.ts';
import type { Celula } from './apoio.ts';

// The command is told to end while --trocar is at work. In a container its end is the end of all that runs there.

let a: Celula;
let b: Celula;

test.before(async () => {
  [a, b] = [await criarCelula(0), await criarCelula(5_000_000)];
});
test.after.always(async () => {
  await a?.fechar();
  await b?.fechar();
});

for (const sinal of ['INT', 'TERM', 'HUP']) {
  for (const [como, codigo, ficam] of [
    ['não levou ninguém', 1, [null, 'foi']],
    ['levou os pedidos', 0, ['foi', null]],
  ] as const) {
    test.serial(`SIG${sinal} enquanto --trocar roda espera por ele, que ${como}`, async (t) => {
      const id = await criarFabrica(a.api.dono).provedor();
      const trocar = `kill -${sinal} $PPID; exit ${codigo}`;
      const { saiu } = moverComoProcesso(a, b, id, trocar);
      t.deepEqual(await saiu, [codigo, null]);
      t.deepEqual(await estados(id, a, b), [...ficam]);
    });
  }
}
