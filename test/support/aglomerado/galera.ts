import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { locateServers } from '../../../src/local/binaries/locate-servers.ts';
import { initializeMariadb } from '../../../src/local/servers/initialize-database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { ate } from '../espera.ts';
import { pacotesSoltos } from '../pacotes.ts';
import { portasLivres } from '../portas.ts';
import { criarHaproxy } from './haproxy.ts';
import { criarServidor, criarUsuarios, urlsPor } from './servidor.ts';
import type { Aglomerado, NoDoAglomerado } from './servidor.ts';

export interface NoDoGalera extends NoDoAglomerado {
  /** Neither hears of the others nor they of it. */
  isolar(): Promise<void>;
  juntar(): Promise<void>;
  /** It takes what others write and does nothing with it, until what is answered is called. */
  atrasar(): Promise<() => Promise<void>>;
}

/**
 * How a server is given the state of another: never in full, which needs programs of other packages, but by what it missed. Galera asks for
 * this in any case, and the giver tells the taker from where on.
 */
const TRANSFERENCIA = `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    --role) papel=$2; shift ;;
    --address) endereco=\${2%%/*}; shift ;;
    --gtid) posicao=$2; shift ;;
    --bypass) perdido=sim ;;
  esac
  shift
done
arquivo="$(dirname "$0")/$endereco"
if [ "$papel" = joiner ]; then
  rm -f "$arquivo"
  echo "ready $endereco/malha"
  until [ -s "$arquivo" ]; do sleep 0.1; done
  cat "$arquivo"
else
  [ "$perdido" = sim ] || exit 1
  echo "$posicao" > "$arquivo.novo"
  mv "$arquivo.novo" "$arquivo"
  echo "done $posicao"
fi
`;

const NOS = 3;
const PRAZO_MS = 120_000;

async function estado(db: Db): Promise<string> {
  const [[linha] = []] = await db.raw<{ Value: string }[][]>("SHOW STATUS LIKE 'wsrep_local_state_comment'");
  return linha?.Value ?? '';
}

/** What a server takes for the cluster: how far it is itself, how many are in it, and which of its views that is. */
async function visao(db: Db): Promise<ReadonlyMap<string, string>> {
  const [linhas = []] = await db.raw<{ Variable_name: string; Value: string }[][]>(
    `SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_conf_id', 'wsrep_cluster_size', 'wsrep_local_state_comment')`,
  );
  return new Map(linhas.map(({ Variable_name: nome, Value }) => [nome, Value]));
}

/** A Galera of three behind HAProxy; null where its packages cannot be had, or where the database here is no MariaDB. */
export async function criarGalera(): Promise<Aglomerado<NoDoGalera> | null> {
  const solto = await pacotesSoltos('galera', ['galera-4']);
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-galera-'));
  const { database: binario = '' } = await locateServers({ database: true, redis: false }, pasta, () => {});
  const provedor = path.join(solto ?? '', 'usr/lib/galera/libgalera_smm.so');
  if (solto === null || !existsSync(provedor) || !binario.includes('maria')) {
    rmSync(pasta, { recursive: true, force: true });
    return null;
  }
  writeFileSync(path.join(pasta, 'wsrep_sst_malha'), TRANSFERENCIA, { mode: 0o755 });
  const env = { ...process.env, PATH: `${pasta}:${process.env['PATH'] ?? ''}` };
  const [doProxy = 0, ...livres] = await portasLivres(1 + 3 * NOS);
  const doGrupo = Array.from({ length: NOS }, (_, n) => livres[3 * n] ?? 0);

  const servidores = doGrupo.map((grupo, n) =>
    criarServidor([binario], path.join(pasta, String(n)), livres[3 * n + 1] ?? 0, env, [
      '--innodb-log-file-size=32M',
      '--innodb-autoinc-lock-mode=2',
      '--binlog-format=ROW',
      '--performance-schema=0',
      '--wsrep-on=ON',
      `--wsrep-provider=${provedor}`,
      '--wsrep-cluster-name=malha',
      `--wsrep-cluster-address=gcomm://${doGrupo.map((porta) => `127.0.0.1:${porta}`).join(',')}`,
      `--wsrep-node-address=127.0.0.1:${grupo}`,
      '--wsrep-sst-method=malha',
      `--wsrep-sst-receive-address=127.0.0.1:${grupo}`,
      `--wsrep-provider-options=${[
        `gmcast.listen_addr=tcp://127.0.0.1:${grupo}`,
        `ist.recv_addr=127.0.0.1:${livres[3 * n + 2]}`,
        'pc.recovery=false',
        'gcache.size=64M',
        'evs.keepalive_period=PT0.5S',
        'evs.suspect_timeout=PT3S',
        'evs.inactive_timeout=PT6S',
      ].join(';')}`,
    ]),
  );
  type Servidor = (typeof servidores)[0];
  const emDia = async (servidor: Servidor): Promise<void> =>
    ate(
      async () => servidor.comAdministrador(async (db) => (await estado(db)) === 'Synced').catch(() => false),
      PRAZO_MS,
    );

  /**
   * All three in one view: a server that was frozen takes itself for one of them until it hears that they went on without it, and if another
   * one falls before it is back, no majority is left.
   */
  const todosEmDia = async (): Promise<void> =>
    ate(async () => {
      const vistas = await Promise.all(servidores.map(async ({ conferente }) => visao(conferente).catch(() => null)));
      return vistas.every(
        (vista) =>
          vista?.get('wsrep_local_state_comment') === 'Synced' &&
          vista.get('wsrep_cluster_size') === String(NOS) &&
          vista.get('wsrep_cluster_conf_id') === vistas[0]?.get('wsrep_cluster_conf_id'),
      );
    }, PRAZO_MS);

  const nos = servidores.map((servidor, n): NoDoGalera => {
    const opcao = async (valor: string): Promise<void> =>
      servidor.comAdministrador(async (db) => void (await db.raw('SET GLOBAL wsrep_provider_options = ?', [valor])));
    return {
      ...servidor,
      emDia: todosEmDia,
      aceitaEscritas: async () => (await estado(servidor.conferente)) === 'Synced',
      async voltar() {
        const arquivo = path.join(pasta, String(n), 'recuperado');
        rmSync(arquivo, { force: true });
        await servidor.rodar(['--wsrep-recover'], 'recuperado');
        const posicao = /Recovered position: (\S+)/.exec(readFileSync(arquivo, 'utf8'))?.[1];
        servidor.iniciar([`--wsrep-start-position=${posicao ?? ''}`]);
        await todosEmDia();
      },
      isolar: async () => opcao('gmcast.isolate=1'),
      juntar: async () => opcao('gmcast.isolate=0'),
      async atrasar() {
        let soltar = (): void => {};
        const bastar = new Promise<void>((resolve) => (soltar = resolve));
        let travado = (): void => {};
        const travando = new Promise<void>((resolve) => (travado = resolve));
        const segurando = servidor.comAdministrador(async (db) => {
          await db.raw('SET GLOBAL wsrep_desync = ON');
          await db.raw('FLUSH TABLES WITH READ LOCK');
          travado();
          await bastar;
          await db.raw('UNLOCK TABLES');
          await db.raw('SET GLOBAL wsrep_desync = OFF');
        });
        await travando;
        return async () => {
          soltar();
          await segurando;
        };
      },
    };
  });

  let haproxy: Awaited<ReturnType<typeof criarHaproxy>> = null;
  const fechar = async (): Promise<void> => {
    haproxy?.fechar();
    for (const servidor of servidores) await servidor.fechar();
    rmSync(pasta, { recursive: true, force: true });
  };
  try {
    const [primeiro, ...outros] = servidores as [Servidor, ...Servidor[]];
    await initializeMariadb(binario, primeiro.dados, process.getuid?.() === 0 ? ['--user=root'] : []);
    primeiro.iniciar(['--wsrep-new-cluster']);
    await emDia(primeiro);
    await primeiro.comAdministrador(criarUsuarios);
    // The others begin with its data, as from a backup: nothing has to be sent to them.
    await primeiro.parar();
    for (const { dados } of outros) cpSync(primeiro.dados, dados, { recursive: true });
    primeiro.iniciar(['--wsrep-new-cluster']);
    await emDia(primeiro);
    for (const outro of outros) {
      outro.iniciar();
      await emDia(outro);
    }
    haproxy = await criarHaproxy(pasta, doProxy, nos);
  } catch (error) {
    await fechar();
    throw error;
  }
  if (haproxy !== null) return { nos, ...urlsPor(doProxy), fechar };
  await fechar();
  return null;
}
