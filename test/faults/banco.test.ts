import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { criarApi } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { tomadaDoBanco } from '../support/tomada.ts';
import type { Tomada } from '../support/tomada.ts';
import { cliente, escrever, guarda, sqlDe } from './apoio.ts';

/** Longer than anything here may take; a wait that ends here is a hang. */
const SEM_TRAVAR_MS = 20_000;

async function comTomada(t: ExecutionContext) {
  let tomada: Tomada | undefined;
  const api = await criarApi({
    async caminhoDoBanco(url) {
      const ligada = await tomadaDoBanco(url);
      tomada = ligada.tomada;
      return ligada.url;
    },
  });
  t.teardown(async () => {
    await tomada!.voltar();
    await api.fechar();
    await tomada!.fechar();
  });
  return { api, tomada: tomada! };
}

const QUEDAS: Readonly<Record<string, (tomada: Tomada) => unknown>> = {
  'o MySQL recusa conexões': (tomada) => tomada.cortar(),
  'o MySQL aceita e não responde': (tomada) => tomada.segurar(),
};
for (const [nome, derrubar] of Object.entries(QUEDAS)) {
  test.serial(
    `${nome}: o guardado que o Redis confirma é servido, o resto é 500 sem travar, e depois volta`,
    async (t) => {
      const { api, tomada } = await comTomada(t);
      const c = await cliente(api);
      await guarda(api, 0, c);
      await derrubar(tomada);

      for (let i = 0; i < 5; i += 1) t.is((await api.get(c.caminho, { chave: c.chave })).status, 200);
      t.deepEqual(await sqlDe(api, 0, () => api.get(c.caminho, { chave: c.chave })), []);
      const antes = performance.now();
      // More than the pool holds, the same and different ones.
      const pedidos = Array.from({ length: 30 }, (_, i) =>
        api.get(`/clientes/${i % 2 === 0 ? 77 : 1000 + i}`, { chave: c.chave }),
      );
      for (const { status, corpo } of await Promise.all(pedidos)) {
        t.is(status, 500);
        t.is(corpo.erro.codigo, 'erro_interno');
      }
      t.true(performance.now() - antes < SEM_TRAVAR_MS);
      await t.throwsAsync(Promise.race([escrever(api, c), sleep(200).then(() => Promise.reject(new Error('espera')))]));

      await tomada.voltar();
      await ate(async () => (await api.get('/clientes/77', { chave: c.chave })).status === 404);
      await escrever(api, c);
      const lida = await api.get(c.caminho, { chave: c.chave });
      t.true(c.mostrado(lida) >= c.escrito());
      await guarda(api, 0, c);
    },
  );
}
