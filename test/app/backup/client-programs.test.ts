import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { complaintOf, findProgram, withLogin } from '../../../src/app/backup/client-programs.ts';
import type { ClientProgram } from '../../../src/app/backup/client-programs.ts';
import { startPrivateServers } from '../../../src/local/private-servers.ts';
import { run } from '../../../src/local/processes/run-command.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { kindOf } from '../../../src/platform/mysql/schema/server-kind.ts';
import { servidorDeTeste } from '../../support/nfcom/certificados.ts';
import { portasLivres } from '../../support/portas.ts';
import { programa } from '../../support/programas.ts';

const DUMP = '/usr/bin/mysqldump: terminou com o código 2';

// What mysqldump of MySQL 9.7 says to an owner who has rights on his database alone, where a binary log is kept.
const SEM_DIREITO =
  "mysqldump: Couldn't execute 'FLUSH TABLES': Access denied; you need (at least one of) the RELOAD or FLUSH_TABLES privilege(s) for this operation (1227)\n";

test('a quem falta o direito de ler a posição do log binário diz-se o que conceder', (t) => {
  t.regex(
    complaintOf(DUMP, SEM_DIREITO),
    /^Ao usuário de DATABASE_OWNER_URL falta um direito \(RELOAD or FLUSH_TABLES\) .+ GRANT RELOAD, REPLICATION CLIENT ON \*\.\*/,
  );
});

test('de qualquer outra falha diz-se a última linha do programa', (t) => {
  t.is(complaintOf(DUMP, 'aviso\nGot error: 2002\n'), 'mysqldump falhou: Got error: 2002');
});

const VERSOES = {
  mysql: 'mysql  Ver 9.7.4 for Linux on x86_64 ((Debian))',
  mariadb: 'mariadb  Ver 15.1 Distrib 10.11.19-MariaDB, for debian-linux-gnu (x86_64)',
  /** From 11.4 on they check the certificate's name, and want TLS, unless they are told not to. */
  exigente: 'mariadb from 11.8.9-MariaDB, client 15.2 for debian-linux-gnu (x86_64)',
};
const programaDe = (qual: keyof typeof VERSOES): ClientProgram => ({
  path: '',
  kind: qual === 'mysql' ? 'mysql' : 'mariadb',
  version: VERSOES[qual],
});

const login = async (qual: keyof typeof VERSOES, url: string, authorities?: string): Promise<string> =>
  withLogin({ url, authorities }, programaDe(qual), async (argumento) =>
    Promise.resolve(readFileSync(argumento.split('=')[1] ?? '', 'utf8')),
  );
const URL_DO_BANCO = 'mysql://dono:s%22enha@db.example/malha';

test('um banco que pede TLS o pede a cada programa com as opções que ele conhece, e com quem o assina', async (t) => {
  t.regex(await login('mysql', `${URL_DO_BANCO}?ssl=true`), /\nssl-mode=VERIFY_CA\nssl-ca="[^"]+"\n$/);
  await t.throwsAsync(login('mariadb', `${URL_DO_BANCO}?ssl=${encodeURIComponent('{"ca":"x"}')}`), {
    message: 'Um endereço do banco com ssl próprio não serve para backups.',
  });
});

test('um banco que não pede TLS não o pede a nenhum programa, de qualquer versão', async (t) => {
  const sem = '[client]\nuser="dono"\npassword="s\\"enha"\nhost="db.example"\nport=3306\nprotocol=TCP\n';
  t.is(await login('mysql', URL_DO_BANCO), `${sem}ssl-mode=PREFERRED\n`);
  for (const qual of ['mariadb', 'exigente'] as const) {
    t.is(await login(qual, URL_DO_BANCO), `${sem}skip-ssl\nskip-ssl-verify-server-cert\n`);
  }
});

test('de autoridades próprias que não se leem diz-se numa linha, e nada corre', async (t) => {
  const servidor = { url: `${URL_DO_BANCO}?ssl=true`, authorities: '/nao/existe.pem' };
  await t.throwsAsync(
    withLogin(servidor, programaDe('mariadb'), async () => Promise.resolve(t.fail())),
    { message: 'NODE_EXTRA_CA_CERTS: não foi possível ler /nao/existe.pem.' },
  );
});

test('um endereço de IPv6 chega aos programas sem colchetes', async (t) => {
  t.regex(await login('mariadb', 'mysql://dono:x@[2001:db8::1]:3307/malha'), /\nhost="2001:db8::1"\nport=3307\n/);
});

test('os programas só falam com um servidor que apresente certificado de autoridade aceita, como o serviço', async (t) => {
  t.timeout(60_000);
  await programa('mariadb-dump');
  const pasta = mkdtempSync(join(tmpdir(), 'malha-tls-'));
  const em = (nome: string, texto: string): string => {
    writeFileSync(join(pasta, nome), texto, { mode: 0o600 });
    return join(pasta, nome);
  };
  const { autoridade, certificado, chave } = servidorDeTeste('localhost');
  const [porta = 0] = await portasLivres(1);
  const servidores = await startPrivateServers({
    dataDir: join(pasta, 'dados'),
    which: { database: true, redis: false },
    durable: false,
    databaseArgs: [
      '--skip-networking=0',
      '--bind-address=127.0.0.1',
      `--port=${porta}`,
      `--ssl-cert=${em('servidor.pem', certificado)}`,
      `--ssl-key=${em('servidor.key', chave)}`,
    ],
    log: () => {},
  });
  const dono = createDatabase({ url: servidores.ownerUrl ?? '', pool: 1 });
  t.teardown(async () => {
    await dono.destroy();
    await servidores.stop();
    rmSync(pasta, { recursive: true, force: true });
  });
  await dono.raw("CREATE USER copia IDENTIFIED BY 'malha'");
  const kind = kindOf((await dono.raw<{ v: string }[][]>('SELECT VERSION() AS v'))[0]?.[0]?.v ?? '');
  const cliente = await findProgram('client', kind);
  const urlEm = (host: string): string => `mysql://copia:malha@${host}:${porta}/?ssl=true`;
  const perguntar = async (host: string, authorities?: string): Promise<string> =>
    withLogin({ url: urlEm(host), authorities }, cliente, async (argumento) =>
      run(cliente.path, [argumento, '--skip-column-names', '--execute', "SHOW STATUS LIKE 'Ssl_cipher'"]),
    );
  const aceita = em('autoridade.pem', autoridade);
  // The certificate's name, and another one: the service does not look at that either.
  for (const host of ['localhost', '127.0.0.1']) {
    t.regex(await perguntar(host, aceita), /^Ssl_cipher\s+\w+/, host);
    await t.throwsAsync(perguntar(host), {
      message: /local issuer certificate|certificate verify failed|unable to verify the first certificate/,
    });
  }
  const verifica = /\nssl\nssl-verify-server-cert\nssl-ca="[^"]+\/autoridades\.pem"\n$/;
  for (const qual of ['mariadb', 'exigente'] as const) t.regex(await login(qual, urlEm('localhost'), aceita), verifica);
  t.regex(await login('mariadb', urlEm('127.0.0.1'), aceita), /\nssl\nskip-ssl-verify-server-cert\nssl-ca="[^"]+"\n$/);
  const { fingerprint256 } = new X509Certificate(certificado);
  const exato = await login('exigente', urlEm('127.0.0.1'), aceita);
  t.true(exato.endsWith(`\nssl-fp=${fingerprint256}\n`));
  t.regex(exato, /\nssl\nssl-verify-server-cert\n/);
});
