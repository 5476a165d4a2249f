import test from 'ava';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { FALHAS, derrubarQuemEscreve, quemEscreve } from '../support/aglomerado/carga.ts';
import type { Falha } from '../support/aglomerado/carga.ts';
import { criarGrupo } from '../support/aglomerado/grupo.ts';
import type { NoDoGrupo } from '../support/aglomerado/grupo.ts';
import type { Aglomerado } from '../support/aglomerado/servidor.ts';
import { criarApi } from '../support/api.ts';
import { quanto } from '../support/prova.ts';

const PRAZO_MS = 600_000;
const SEM_MYSQL =
  'Sem o Group Replication: faltam o MySQL 9 (TEST_DATABASE=mysql o traz) ou o pacote haproxy do Debian.';

let grupo: Aglomerado<NoDoGrupo> | null = null;
let dono: Db;
test.before(async (t) => {
  t.timeout(PRAZO_MS);
  grupo = await criarGrupo();
  if (grupo === null) return;
  dono = createDatabase({ url: grupo.urlDoDono, pool: 4, announces: true });
  await quemEscreve(dono, grupo.nos);
  await migrate(dono);
  await grantApplication(dono, grupo.url, DIREITOS);
});
test.after.always(async () => {
  await dono?.destroy();
  await grupo?.fechar();
});

const SAIU: Falha<NoDoGrupo> = { falhar: async (no) => no.sair(), refazer: async (no) => no.entrar() };
const ISOLADO: Falha<NoDoGrupo> = {
  falhar: async (no) => no.isolar?.(),
  async refazer(no) {
    await no.juntar();
    await no.emDia();
  },
};
for (const falha of Object.entries({ ...FALHAS, saiu: SAIU, isolado: ISOLADO })) {
  test.serial(
    `o primário ${falha[0]}: nada respondido se perde nem se dobra, nada velho, e o que falha pára por si`,
    async (t) => {
      t.timeout(quanto(PRAZO_MS, 20 * PRAZO_MS));
      if (grupo === null) {
        t.log(SEM_MYSQL);
        return t.pass();
      }
      if (falha[1] === ISOLADO && grupo.nos.some(({ isolar }) => isolar === null)) {
        t.log('Sem redes próprias: só o root as faz, com o unshare e o ip do Debian.');
        return t.pass();
      }
      const api = await criarApi({ bancoDe: { databaseUrl: grupo.url, dono }, processos: 2 });
      t.teardown(() => api.fechar());
      return derrubarQuemEscreve(t, grupo, api, falha);
    },
  );
}
