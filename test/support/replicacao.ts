import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import type { PrivateServers } from '../../src/local/private-servers.ts';
import { ate } from './espera.ts';
import { portasLivres } from './portas.ts';

/** Two database servers of the caller's own, of which one copies the other as an operator would have it. */
export interface Replicacao {
  /** The primary, as the schema's owner. */
  readonly dono: Db;
  /** The replica, as its operator. */
  readonly operador: Db;
  /** For the application, which may write on the primary alone. */
  readonly url: string;
  readonly urlDaReplica: string;
  /** `kill -9`, of the replica. */
  matarReplica(): void;
  fechar(): Promise<void>;
}

/** What is committed on the primary is on the replica `atrasoSegundos` later. */
export async function criarReplicacao(atrasoSegundos: number): Promise<Replicacao> {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-replicacao-'));
  const [porta = 0] = await portasLivres(1);
  const naRede = ['--skip-networking=0', '--bind-address=127.0.0.1', `--port=${porta}`, '--skip-name-resolve'];
  const [primaria, replica] = await Promise.all([
    iniciar(path.join(pasta, 'primaria'), [...naRede, '--log-bin=bin', '--server-id=1']),
    iniciar(path.join(pasta, 'replica'), ['--server-id=2']),
  ]);
  const dono = createDatabase({ url: primaria.ownerUrl, pool: 4 });
  const operador = createDatabase({ url: replica.ownerUrl, pool: 2 });
  const [[{ pid_file: arquivoDoPid, version }]] = await operador.raw(
    'SELECT @@pid_file AS pid_file, VERSION() AS version',
  );

  await dono.raw("CREATE USER copia IDENTIFIED BY 'copia'");
  await dono.raw('GRANT REPLICATION SLAVE ON *.* TO copia');
  // From the first thing that the primary wrote down, which is before there was a table.
  await operador.raw(
    String(version).includes('MariaDB')
      ? `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${porta}, MASTER_USER='copia', MASTER_PASSWORD='copia',
           MASTER_DELAY=${atrasoSegundos}`
      : `CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=${porta}, SOURCE_USER='copia',
           SOURCE_PASSWORD='copia', GET_SOURCE_PUBLIC_KEY=1, SOURCE_DELAY=${atrasoSegundos}`,
  );
  await operador.raw('START REPLICA');
  await operador.raw('SET GLOBAL read_only = 1');
  await migrate(dono);
  await grantApplication(dono, primaria.applicationUrl, DIREITOS);
  const migracoes = async (db: Db) => db('migracoes').pluck('name');
  const todas = await migracoes(dono);
  const chegou = async (): Promise<boolean> =>
    (await operador.schema.hasTable('migracoes')) && isDeepStrictEqual(await migracoes(operador), todas);
  await ate(chegou, 60_000);

  return {
    dono,
    operador,
    url: primaria.applicationUrl,
    urlDaReplica: replica.applicationUrl,
    matarReplica: () => void process.kill(Number(readFileSync(arquivoDoPid, 'utf8')), 'SIGKILL'),
    async fechar() {
      await dono.destroy();
      await operador.destroy();
      await Promise.all([primaria.stop(), replica.stop()]);
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}

async function iniciar(dataDir: string, databaseArgs: readonly string[]): Promise<Required<PrivateServers>> {
  const which = { database: true, redis: false };
  const servers = await startPrivateServers({ dataDir, which, durable: false, databaseArgs, log: () => {} });
  return servers as Required<PrivateServers>;
}
