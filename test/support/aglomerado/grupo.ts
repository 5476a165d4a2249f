import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { initializeMysql } from '../../../src/local/servers/initialize-database.ts';
import { ate } from '../espera.ts';
import { portasLivres } from '../portas.ts';
import { criarHaproxy } from './haproxy.ts';
import { criarRedes } from './redes.ts';
import type { Rede } from './redes.ts';
import { criarServidor, criarUsuarios, urlsPor } from './servidor.ts';
import type { Aglomerado, NoDoAglomerado } from './servidor.ts';

export interface NoDoGrupo extends NoDoAglomerado {
  /** Leaves the group and goes on running, as for work on it. */
  sair(): Promise<void>;
  entrar(): Promise<void>;
  /** Neither hears of the others nor they of it, and whoever asks it still reaches it; null where no networks can be made. */
  readonly isolar: (() => Promise<void>) | null;
  juntar(): Promise<void>;
}

/** Where `TEST_DATABASE=mysql` brings it. */
const MYSQL = fileURLToPath(new URL('../../../../.data/mysql-9', import.meta.url));
const NOS = 3;
const PRAZO_MS = 120_000;
const NOME = '6d616c68-6100-4000-8000-000000000001';

const ESTADO = `
  SELECT member_state AS estado, member_role AS papel, @@super_read_only AS so_leitura,
         (SELECT 2 * SUM(member_state <> 'UNREACHABLE') > COUNT(*) FROM performance_schema.replication_group_members) AS ouve_a_maioria
    FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid`;

interface Estado {
  readonly estado: string;
  readonly papel: string;
  readonly so_leitura: number;
  readonly ouve_a_maioria: number;
}

/** Three servers of MySQL 9 in a Group Replication with one primary, behind HAProxy; null where there is no MySQL 9 or no HAProxy. */
export async function criarGrupo(): Promise<Aglomerado<NoDoGrupo> | null> {
  const plugins = path.join(MYSQL, 'usr/lib/mysql/plugin');
  if (!existsSync(path.join(plugins, 'group_replication.so'))) return null;
  const binario = path.join(MYSQL, 'bin/mysqld');
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-grupo-'));
  const [doProxy = 0, ...livres] = await portasLivres(1 + 2 * NOS);
  const redes = await criarRedes(NOS);
  const doGrupo = Array.from({ length: NOS }, (_, n) => {
    const rede = redes?.redes[n];
    return { rede, endereco: rede?.endereco ?? '127.0.0.1', grupo: livres[2 * n] ?? 0, porta: livres[2 * n + 1] ?? 0 };
  });
  const sementes = doGrupo.map(({ grupo, endereco }) => `${endereco}:${grupo}`);

  const servidores = doGrupo.map(({ rede, endereco, porta }, n) => {
    const programa = rede === undefined ? ([binario] as const) : ([...rede.dentro, binario] as const);
    return criarServidor(programa, path.join(pasta, String(n)), porta, process.env, [
      `--bind-address=${rede === undefined ? '' : '127.0.0.1,'}${endereco}`,
      '--mysqlx=0',
      '--secure-file-priv=',
      `--plugin-dir=${plugins}`,
      '--plugin-load-add=group_replication.so',
      '--gtid-mode=ON',
      '--enforce-gtid-consistency=ON',
      '--log-bin=bin',
      '--sync-binlog=0',
      // One that is killed takes what its binary log has for what it has; nobody sends it what InnoDB had not yet written.
      '--innodb-flush-log-at-trx-commit=2',
      `--server-id=${n + 1}`,
      `--report-host=${endereco}`,
      `--report-port=${porta}`,
      `--loose-group-replication-group-name=${NOME}`,
      `--loose-group-replication-local-address=${sementes[n]}`,
      `--loose-group-replication-group-seeds=${sementes.join(',')}`,
      '--loose-group-replication-start-on-boot=OFF',
      '--loose-group-replication-recovery-get-public-key=ON',
      '--loose-group-replication-member-expel-timeout=0',
    ]);
  });
  type Servidor = (typeof servidores)[0];
  const perguntar = async (db: Servidor['dono']): Promise<Estado | undefined> =>
    (await db.raw<Estado[][]>(ESTADO))[0]?.[0];
  const responder = async (servidor: Servidor): Promise<void> =>
    ate(
      async () =>
        servidor
          .comAdministrador(async (db) => db.raw('SELECT 1'))
          .then(
            () => true,
            () => false,
          ),
      PRAZO_MS,
    );
  const emDia = async (servidor: Servidor): Promise<void> =>
    ate(
      async () =>
        servidor.comAdministrador(async (db) => (await perguntar(db))?.estado === 'ONLINE').catch(() => false),
      PRAZO_MS,
    );
  const entrar = async (servidor: Servidor): Promise<void> => {
    await servidor.comAdministrador(async (db) => db.raw('START GROUP_REPLICATION'));
    await emDia(servidor);
  };

  const noDe = (servidor: Servidor, rede: Rede | undefined): NoDoGrupo => ({
    ...servidor,
    lugar: rede?.levar(servidor.porta, `${servidor.dados}.porta`) ?? servidor.lugar,
    async aceitaEscritas() {
      const dito = await perguntar(servidor.conferente);
      const doPrimario = dito?.estado === 'ONLINE' && dito.papel === 'PRIMARY' && dito.so_leitura === 0;
      // One that is cut off takes itself for the primary for ever.
      return doPrimario && dito.ouve_a_maioria === 1;
    },
    async voltar() {
      servidor.iniciar();
      await responder(servidor);
      await entrar(servidor);
    },
    sair: async () => servidor.comAdministrador(async (db) => void (await db.raw('STOP GROUP_REPLICATION'))),
    entrar: async () => entrar(servidor),
    isolar: rede?.desligar ?? null,
    juntar: async () => rede?.ligar(),
    /** One that the others have expelled is told to come back, as an operator does. */
    async emDia() {
      await ate(
        async () =>
          servidor.comAdministrador(async (db) => (await perguntar(db))?.estado !== 'ONLINE').catch(() => false),
        PRAZO_MS,
      );
      await servidor.comAdministrador(async (db) => db.raw('STOP GROUP_REPLICATION'));
      await entrar(servidor);
    },
  });
  const nos = servidores.map((servidor, n) => noDe(servidor, redes?.redes[n]));

  let haproxy: Awaited<ReturnType<typeof criarHaproxy>> = null;
  const fechar = async (): Promise<void> => {
    haproxy?.fechar();
    for (const servidor of servidores) await servidor.fechar();
    redes?.fechar();
    rmSync(pasta, { recursive: true, force: true });
  };
  try {
    const [primeiro, ...outros] = servidores as [Servidor, ...Servidor[]];
    await initializeMysql(binario, primeiro.dados, process.getuid?.() === 0 ? ['--user=root'] : []);
    primeiro.iniciar();
    await responder(primeiro);
    await primeiro.comAdministrador(async (db) => {
      await criarUsuarios(db);
      await db.raw("CREATE USER replica IDENTIFIED BY 'replica'");
      await db.raw(
        'GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO replica',
      );
      await db.raw(
        "CHANGE REPLICATION SOURCE TO SOURCE_USER='replica', SOURCE_PASSWORD='replica' FOR CHANNEL 'group_replication_recovery'",
      );
    });
    // The others begin with its data, but for its name.
    await primeiro.parar();
    for (const { dados } of outros) {
      cpSync(primeiro.dados, dados, { recursive: true });
      rmSync(path.join(dados, 'auto.cnf'));
    }
    for (const servidor of servidores) {
      servidor.iniciar();
      await responder(servidor);
    }
    await primeiro.comAdministrador(async (db) => db.raw('SET GLOBAL group_replication_bootstrap_group = ON'));
    await entrar(primeiro);
    await primeiro.comAdministrador(async (db) => db.raw('SET GLOBAL group_replication_bootstrap_group = OFF'));
    for (const outro of outros) await entrar(outro);
    haproxy = await criarHaproxy(pasta, doProxy, nos);
  } catch (error) {
    await fechar();
    throw error;
  }
  if (haproxy !== null) return { nos, ...urlsPor(doProxy), fechar };
  await fechar();
  return null;
}
