import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { updateSchema } from '../src/app/servers.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import { startPrivateServers } from '../src/local/private-servers.ts';

const RAIZ = fileURLToPath(new URL('../../', import.meta.url));
const SENHA = `it's uma "senha"`;

/** The SQL that the database image would be given, by the two functions that it offers to scripts. */
async function sqlDoScript(): Promise<string> {
  const funcoes = `
    docker_process_sql() { cat; }
    docker_sql_escape_string_literal() { sed "s/'/''/g" <<<"$1"; }
    source docker/usuarios.sh`;
  const env = { ...process.env, MALHA_DB_PASSWORD: SENHA };
  return (await promisify(execFile)('bash', ['-ec', funcoes], { cwd: RAIZ, env })).stdout;
}

test('com os usuários que compose.yaml cria, o esquema é do dono, e o do serviço só tem direitos de tabelas', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'malha-compose-'));
  const servers = await startPrivateServers({
    dataDir,
    which: { database: true, redis: false },
    durable: false,
    log: () => {},
  });
  try {
    const root = createDatabase({ url: servers.ownerUrl!, pool: 1 });
    await root.raw("DROP USER 'malha'@'localhost'");
    // What the image does with MARIADB_USER.
    await root.raw("CREATE USER 'malha_dono'@'%' IDENTIFIED BY 'dono'");
    await root.raw("GRANT ALL ON malha.* TO 'malha_dono'@'%'");
    for (const comando of (await sqlDoScript()).split(/;\n/).filter(Boolean)) await root.raw(comando);
    await root.destroy();
    const por = (usuario: string, senha: string): string => {
      const url = new URL(servers.ownerUrl!);
      [url.username, url.password] = [usuario, encodeURIComponent(senha)];
      return url.href;
    };
    const [databaseUrl, ownerUrl] = [por('malha', SENHA), por('malha_dono', 'dono')];
    t.true((await updateSchema({ databaseUrl, ownerUrl }, (linha) => t.fail(linha))).length > 0);
    const semBanco = async (dono: string, servico: string) =>
      t.throwsAsync(updateSchema({ databaseUrl: servico, ownerUrl: dono }, (linha) => t.fail(linha)));
    const noVazio = ownerUrl.replace('/malha?', '/vazio?');
    t.not(noVazio, ownerUrl);
    t.regex((await semBanco(noVazio, databaseUrl)).message, /\(ER_\w+\); confira DATABASE_OWNER_URL\./);
    t.regex((await semBanco(noVazio, noVazio)).message, /\(ER_\w+\); confira DATABASE_URL\./);
    // The service itself knows no owner.
    t.deepEqual(await updateSchema({ databaseUrl, ownerUrl: databaseUrl }, (linha) => t.fail(linha)), []);
    const servico = createDatabase({ url: databaseUrl, pool: 1 });
    t.teardown(() => servico.destroy());
    t.deepEqual(await servico('faturas').select('id'), []);
    await t.throwsAsync(servico('radpostauth').select('id'), { message: /denied/ });
    await t.throwsAsync(servico.raw('DROP TABLE faturas'), { message: /denied/ });
  } finally {
    await servers.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('em compose.yaml só conhecem o dono quem migra e o backup, e este só roda quando se pede', (t) => {
  const servicos = readFileSync(join(RAIZ, 'compose.yaml'), 'utf8').split(/^ {2}(?=[\w-]+:$)/m);
  const comDono = servicos.filter((texto) => texto.includes('DATABASE_OWNER_URL')).map((texto) => texto.split(':')[0]);
  t.deepEqual(comDono, ['migrate', 'backup']);
  const backup = servicos.find((texto) => texto.startsWith('backup:'))!;
  t.regex(backup, /\n {4}profiles: \[backup\]\n/);
  t.regex(backup, /\n {4}restart: 'no'\n/);
  // What migrates makes tables, and a backup is restored into a database without any.
  t.regex(backup, /\n {4}depends_on:\n {6}database: .+\n {6}redis: .+\n {4}\w/);
});

test('em compose.yaml quem faz os extratos e quem os entrega têm a mesma pasta, que é do usuário da imagem', (t) => {
  const servicos = readFileSync(join(RAIZ, 'compose.yaml'), 'utf8').split(/^ {2}(?=[\w-]+:$)/m);
  const comPasta = servicos.filter((texto) => texto.includes('volumes: [extratos:/var/lib/malha/extratos]'));
  t.deepEqual(
    comPasta.map((texto) => texto.split(':')[0]),
    ['api', 'worker'],
  );
  const imagem = readFileSync(join(RAIZ, 'Dockerfile'), 'utf8');
  t.regex(imagem, /MALHA_DATA_DIR=\/var\/lib\/malha$/m);
  t.true(imagem.indexOf('mkdir -p /var/lib/malha/extratos && chown -R node:node') < imagem.indexOf('USER node'));
});
