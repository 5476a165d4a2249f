import test from 'ava';
import type { ExecutionContext } from 'ava';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { FALHAS, derrubarQuemEscreve } from '../support/aglomerado/carga.ts';
import type { Falha } from '../support/aglomerado/carga.ts';
import { criarGalera } from '../support/aglomerado/galera.ts';
import type { NoDoGalera } from '../support/aglomerado/galera.ts';
import type { Aglomerado } from '../support/aglomerado/servidor.ts';
import { criarApi } from '../support/api.ts';
import type { ApiOptions } from '../support/api.ts';
import { quanto } from '../support/prova.ts';
import { cliente, escrever, guarda } from './apoio.ts';

const PRAZO_MS = 240_000;
const SEM_PACOTES = 'Sem o Galera: faltam o MariaDB e os pacotes do Debian galera-4 e haproxy.';

let galera: Aglomerado<NoDoGalera> | null = null;
let dono: Db;
let migradas: string[][] = [];
test.before(async (t) => {
  t.timeout(PRAZO_MS);
  galera = await criarGalera();
  if (galera === null) return;
  dono = createDatabase({ url: galera.urlDoDono, pool: 4, announces: true });
  // Two versions that are begun at once, each on its own server.
  migradas = await Promise.all(galera.nos.slice(0, 2).map(async (no) => migrate(no.dono)));
  await grantApplication(dono, galera.url, DIREITOS);
});
test.after.always(async () => {
  await dono?.destroy();
  await galera?.fechar();
});

function comGalera(
  titulo: string,
  provar: (t: ExecutionContext, galera: Aglomerado<NoDoGalera>) => Promise<void>,
): void {
  test.serial(titulo, async (t) => {
    t.timeout(quanto(PRAZO_MS, 20 * PRAZO_MS));
    if (galera !== null) return provar(t, galera);
    t.log(SEM_PACOTES);
    return t.pass();
  });
}

async function servirPor(t: ExecutionContext, databaseUrl: string, mais: Omit<ApiOptions, 'bancoDe'> = {}) {
  const api = await criarApi({ bancoDe: { databaseUrl, dono }, ...mais });
  t.teardown(() => api.fechar());
  return api;
}

comGalera('duas migrações ao mesmo tempo em dois servidores: uma faz tudo, a outra espera', async (t) => {
  t.deepEqual(
    migradas.map((nomes) => nomes.length > 0).toSorted((a, b) => Number(a) - Number(b)),
    [false, true],
  );
  t.is((await dono('migracoes')).length, migradas.flat().length);
});

comGalera('o que se lê num servidor e se guarda espera pelo que outro gravou', async (t, { nos, url }) => {
  const [a, , atrasado] = nos as [NoDoGalera, NoDoGalera, NoDoGalera];
  const porta = (no: NoDoGalera): string => url.replace(/:\d+\//, `:${no.porta}/`);
  const escritor = await servirPor(t, porta(a));
  const leitor = await servirPor(t, porta(atrasado), { redis: escritor.redisUrl });
  const c = await cliente(escritor);
  await guarda(leitor, 0, c);
  for (let vez = 0; vez < 5; vez += 1) {
    const solto = await atrasado.atrasar();
    await escrever(escritor, c);
    const lendo = leitor.get(c.caminho, { chave: c.algumaChave() });
    await Promise.race([lendo, new Promise((resolve) => setTimeout(resolve, 500))]);
    await solto();
    const resposta = await lendo;
    t.is(resposta.status, 200);
    t.is(c.mostrado(resposta), c.escrito());
    await guarda(leitor, 0, c);
    t.is(c.mostrado(await leitor.get(c.caminho, { chave: c.algumaChave() })), c.escrito());
  }
});

const ISOLADO: Falha<NoDoGalera> = {
  falhar: async (no) => no.isolar(),
  async refazer(no) {
    await no.juntar();
    await no.emDia();
  },
};
for (const falha of Object.entries({ ...FALHAS, isolado: ISOLADO })) {
  comGalera(
    `quem escreve ${falha[0]}: nada respondido se perde nem se dobra, nada velho, e o que falha pára por si`,
    async (t, aglomerado) =>
      derrubarQuemEscreve(t, aglomerado, await servirPor(t, aglomerado.url, { processos: 2 }), falha),
  );
}
