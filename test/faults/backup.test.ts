import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { grantApplication } from '../../src/platform/mysql/grants.ts';
import { migrate } from '../../src/platform/mysql/schema/migrations.ts';
import { kindOf } from '../../src/platform/mysql/schema/server-kind.ts';
import { DIREITOS } from '../../src/domain/direitos.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { redisUrl } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { encher, NO_DIA_SEGUINTE } from '../support/lancamento.ts';
import { programa } from '../support/programas.ts';
import { createSecrets } from '../../src/platform/secrets/secrets.ts';
import { relogioEm } from '../support/relogio.ts';
import { criarTerminal, recusado } from '../support/terminal.ts';
import type { Terminal } from '../support/terminal.ts';
import { escrever, cliente } from './apoio.ts';
import type { Cliente } from './apoio.ts';

// A service that answers and writes is backed up, and restored on another server whose users have other names.

const CHAVE_MESTRA = 'a1'.repeat(32);
const LOG_BINARIO = ['--log-bin=bin', '--server-id=1', '--binlog-format=ROW', '--log-bin-trust-function-creators=1'];

const pasta = mkdtempSync(path.join(tmpdir(), 'malha-backup-'));
const abertos: (() => Promise<void>)[] = [];
let origem: Servidor;
let api: Api;
let terminal: Terminal;
let clientes: Cliente[];

interface Servidor {
  readonly dono: Db;
  readonly ownerUrl: string;
  readonly applicationUrl: string;
  readonly dados: string;
}

async function ehMysql(db: Db): Promise<boolean> {
  const [linhas] = await db.raw<{ versao: string }[][]>('SELECT VERSION() AS versao');
  return kindOf(linhas?.[0]?.versao ?? '') === 'mysql';
}

async function servidor(nome: string, databaseArgs: readonly string[]): Promise<Servidor> {
  const dataDir = path.join(pasta, nome);
  mkdirSync(dataDir);
  const which = { database: true, redis: false };
  const servers = await startPrivateServers({ dataDir, which, durable: false, databaseArgs, log: () => {} });
  const raiz = createDatabase({ url: servers.ownerUrl ?? '', pool: 1 });
  // The schema's owner has a name that no other server knows, and no right to the server itself.
  await raiz.raw(`CREATE USER 'dono_${nome}'@'localhost' IDENTIFIED BY 'da "casa" \\\\ #1'`);
  await raiz.raw(`GRANT ALL ON malha.* TO 'dono_${nome}'@'localhost' WITH GRANT OPTION`);
  // What MySQL's program asks for to say where the log stands (docs/operations.md); MariaDB's asks for nothing.
  const temLog = databaseArgs === LOG_BINARIO;
  if (temLog && (await ehMysql(raiz))) {
    await raiz.raw(`GRANT RELOAD, REPLICATION CLIENT ON *.* TO 'dono_${nome}'@'localhost'`);
  }
  await raiz.destroy();
  const url = new URL(servers.ownerUrl ?? '');
  url.username = `dono_${nome}`;
  url.password = encodeURIComponent('da "casa" \\ #1');
  const dono = createDatabase({ url: url.href, pool: 4 });
  abertos.push(async () => {
    await dono.destroy();
    await servers.stop();
  });
  return {
    dono,
    ownerUrl: url.href,
    applicationUrl: servers.applicationUrl ?? '',
    dados: (await dono.raw('SELECT @@datadir AS d'))[0][0].d,
  };
}

/** The administrator of a server: what a binary log says is written only by one. */
const raizDe = ({ ownerUrl }: Servidor): string => {
  const url = new URL(ownerUrl);
  url.username = 'root';
  url.password = '';
  return url.href;
};

test.before(async (t) => {
  t.timeout(240_000);
  await programa('mariadb-dump');
  origem = await servidor('origem', LOG_BINARIO);
  await migrate(origem.dono);
  await grantApplication(origem.dono, origem.applicationUrl, DIREITOS);
  await encher(origem.dono);
  const bancoDe = { databaseUrl: origem.applicationUrl, dono: origem.dono };
  const env = { MALHA_CHAVE_MESTRA: CHAVE_MESTRA };
  api = await criarApi({ bancoDe, relogio: relogioEm(NO_DIA_SEGUINTE), env });
  abertos.unshift(async () => api.fechar());
  terminal = criarTerminal({ databaseUrl: origem.applicationUrl, redisUrl: api.redisUrl }, env);
  clientes = [await cliente(api), await cliente(api)];
});

test.after.always(async () => {
  for (const fechar of abertos) await fechar();
  terminal.fechar();
  rmSync(pasta, { recursive: true, force: true });
});

const daOrigem = (): Record<string, string> => ({ DATABASE_OWNER_URL: origem.ownerUrl });

/** What the answers of a provider's lists say: every row, money included. */
async function listasDe(a: Api, chave: string): Promise<Record<string, unknown>> {
  const listas: Record<string, unknown> = {};
  for (const lista of ['clientes', 'faturas', 'chamados', 'contratos', 'planos']) {
    const { status, corpo } = await a.get(`/${lista}?por_pagina=100`, { chave });
    listas[lista] = { status, dados: corpo.dados };
  }
  return listas;
}

/** A restored database is audited as forgotten: that is not in the source. */
const SO_DO_RESTAURADO = new Set(['auditoria', 'auditoria_recursos', 'eventos']);

/**
 * A digest of every table's rows, in any order. Not the server's CHECKSUM TABLE: a table whose columns were added one by one and the same
 * table made at once have different ones for the same rows.
 */
async function somasDe({ dono }: Servidor): Promise<Record<string, string>> {
  const [tabelas] = await dono.raw("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'");
  const nomes = (tabelas as Record<string, string>[]).map((linha) => Object.values(linha)[0]!);
  const somas: Record<string, string> = {};
  for (const nome of nomes.filter((um) => !SO_DO_RESTAURADO.has(um))) {
    const linhas = (await dono(nome).select('*')).map((linha) => JSON.stringify(linha));
    somas[nome] = `${linhas.length} ${hash('sha256', linhas.toSorted().join('\n'))}`;
  }
  return somas;
}

async function gatilhosDe({ dono }: Servidor): Promise<unknown[]> {
  return dono('information_schema.triggers')
    .whereRaw('trigger_schema = DATABASE()')
    .orderBy('trigger_name')
    .select('trigger_name', 'event_manipulation', 'event_object_table', 'action_timing', 'action_statement');
}

/** Reads and writes without a pause until it is told to stop; gives what was answered. */
function carga() {
  const parada = new AbortController();
  const leituras: number[] = [];
  const escritas = clientes.map(async (c) => {
    while (!parada.signal.aborted) await escrever(api, c);
  });
  const lidas = clientes.map(async (c) => {
    while (!parada.signal.aborted) leituras.push((await api.get(c.caminho, { chave: c.algumaChave() })).status);
  });
  return {
    leituras,
    async parar() {
      parada.abort();
      await Promise.all([...escritas, ...lidas]);
    },
  };
}

function copiarLogs(para: string): string {
  mkdirSync(para);
  for (const nome of readdirSync(origem.dados).filter((um) => /^bin\.\d+$/.test(um))) {
    copyFileSync(path.join(origem.dados, nome), path.join(para, nome));
  }
  return para;
}

const backup = path.join(pasta, 'noite');

test.serial(
  'com o serviço no ar: tudo é respondido enquanto ele é feito, e ele diz que não tem a chave mestra',
  async (t) => {
    const emCarga = carga();
    await ate(() => emCarga.leituras.length > 20);
    const antes = clientes.map((c) => c.escrito());
    const { codigo, stdout, stderr } = await terminal.malha(['backup', 'fazer', backup], daOrigem());
    await emCarga.parar();
    t.is(codigo, 0, stderr);
    t.regex(stdout, /^Backup de .+ MiB\)\.\nLog binário desde bin\.\d+, posição \d+\.\n$/u);
    t.regex(stderr, /^ATENÇÃO: as chaves mestras NÃO estão neste backup \(nomes: [0-9a-f]{16}\)/u);
    t.deepEqual(new Set(emCarga.leituras), new Set([200]));
    t.true(
      clientes.every((c, n) => c.escrito() > antes[n]!),
      'nothing was written meanwhile',
    );
    t.deepEqual(readdirSync(backup).toSorted(), ['banco.sql.gz', 'manifesto.json']);
    t.is(statSync(backup).mode & 0o077, 0);

    // On a server where nobody has heard of the owner, by an owner with no right to the server itself.
    const destino = await servidor('destino', []);
    const env = {
      DATABASE_URL: destino.applicationUrl,
      DATABASE_OWNER_URL: destino.ownerUrl,
      REDIS_URL: await redisUrl(),
    };
    const restaurado = await terminal.malha(['backup', 'restaurar', backup], env);
    t.is(restaurado.codigo, 0, restaurado.stderr);
    for (const [n, c] of clientes.entries()) {
      const [linha] = await destino.dono('clientes').where({ provedor_id: c.provedor, id: c.id });
      t.true(Number(linha.nome.slice(2)) >= antes[n]!, `${linha.nome}: answered before was ${antes[n]}`);
    }
    t.deepEqual(await gatilhosDe(destino), await gatilhosDe(origem));
    const definidores = await destino
      .dono('information_schema.triggers')
      .distinct('definer as definidor')
      .whereRaw('trigger_schema = DATABASE()');
    t.deepEqual(definidores, [{ definidor: 'dono_destino@localhost' }]);

    const outra = await criarApi({
      bancoDe: { databaseUrl: destino.applicationUrl, dono: destino.dono },
      relogio: relogioEm(NO_DIA_SEGUINTE),
      env: { MALHA_CHAVE_MESTRA: CHAVE_MESTRA },
    });
    t.teardown(() => outra.fechar());
    for (const [n, c] of clientes.entries()) {
      const alheio = clientes[1 - n]!;
      t.is((await outra.get(c.caminho, { chave: c.chave })).status, 200);
      t.is((await outra.get(alheio.caminho, { chave: c.chave })).status, 404);
    }
  },
);

test.serial('até um instante: o que se gravou até ele está lá, e o que veio depois não', async (t) => {
  const chaves = await Promise.all([1, 2].map(async (provedor) => (await api.criarChave(provedor)).texto));
  for (const c of clientes) await escrever(api, c);
  const somas = await somasDe(origem);
  const listas = await Promise.all(chaves.map(async (chave) => listasDe(api, chave)));
  // The logs know whole seconds: one that is over, and what goes wrong in the next.
  const instante = new Date((Math.floor(Date.now() / 1000) + 1) * 1000);
  await ate(() => Date.now() > instante.getTime());
  await origem.dono('clientes').update({ nome: 'de todos' });
  await origem.dono('registros_conexao').delete();
  const logs = copiarLogs(path.join(pasta, 'logs'));

  const destino = await servidor('momento', ['--log-bin-trust-function-creators=1']);
  const env = {
    DATABASE_URL: destino.applicationUrl,
    DATABASE_OWNER_URL: raizDe(destino),
    REDIS_URL: await redisUrl(),
  };
  const como = ['--ate', instante.toISOString(), '--enviar-pendentes'];
  const args = ['backup', 'restaurar', backup, '--logs', logs, ...como];
  const { codigo, stdout, stderr } = await terminal.malha(args, env);
  t.is(codigo, 0, stderr);
  t.regex(
    stdout,
    /^Restaurado o backup de .+, e o que os logs têm depois dele\.\nO último registro dos logs é de \d{4}-.+Z\.\nEsquecido o que se guardava de 4 provedores\.\n$/u,
  );
  t.deepEqual(await somasDe(destino), somas);
  t.notDeepEqual(await somasDe(origem), somas);
  t.deepEqual(await gatilhosDe(destino), await gatilhosDe(origem));

  const outra = await criarApi({
    bancoDe: { databaseUrl: destino.applicationUrl, dono: destino.dono },
    relogio: relogioEm(NO_DIA_SEGUINTE),
    env: { MALHA_CHAVE_MESTRA: CHAVE_MESTRA },
  });
  t.teardown(async () => outra.fechar());
  t.deepEqual(await Promise.all(chaves.map(async (chave) => listasDe(outra, chave))), listas);
});

/** A row of each kind that waits to be sent, and one of each that was sent; of one provider. */
async function porEnviar(dono: Db, provedor_id: number): Promise<void> {
  const em = '2026-11-20 12:00:00.000';
  const [webhook_id = 0] = await dono('webhooks').insert({
    provedor_id,
    url: 'https://fora.test/',
    eventos: '[]',
    segredo: Buffer.from('x'),
    segredo_fim: 'abcd',
    criado_em: em,
    atualizado_em: em,
  });
  const [dispositivo_id = 0] = await dono('push_dispositivos').insert({
    provedor_id,
    tipo: 'webpush',
    token_hash: Buffer.alloc(32, 1),
    token: Buffer.from('x'),
    plataforma: 'web',
    silenciados: '[]',
    visto_em: em,
    criado_em: em,
  });
  for (const [n, estado] of ['pendente', 'em_andamento', 'entregue'].entries()) {
    const comum = { provedor_id, estado, proxima_em: em };
    await dono('correio_pedidos').insert({
      ...comum,
      origem: 'segunda_via',
      chave: `carta-${n}`,
      expira_em: em,
      criado_em: em,
    });
    const [mensagem_id = 0] = await dono('webhook_mensagens').insert({
      provedor_id,
      msg_id: `mensagem-${n}`.padEnd(26, '0'),
      tipo: 'fatura.paga',
      corpo: '{}',
      criada_em: em,
    });
    await dono('webhook_entregas').insert({ ...comum, webhook_id, mensagem_id, tipo: 'fatura.paga', criada_em: em });
    await dono('push_envios').insert({
      ...comum,
      dispositivo_id,
      tipo: 'fatura.paga',
      chave: `aviso-${n}`,
      titulo: 'a',
      texto: 'a',
      dados: '{}',
      dia: '2026-11-20',
      expira_em: em,
      criado_em: em,
    });
  }
  await dono('eventos_pendentes').delete();
  await dono('eventos_pendentes').insert([
    { provedor_id, consumidor: 'webhooks', evento_id: 1 },
    { provedor_id, consumidor: 'importacoes', evento_id: 1 },
  ]);
}

async function estadosDe({ dono }: Servidor): Promise<Record<string, string[]>> {
  const estados: Record<string, string[]> = {};
  for (const tabela of ['correio_pedidos', 'webhook_entregas', 'push_envios'])
    estados[tabela] = await dono(tabela).orderBy('id').pluck('estado');
  return { ...estados, esperam: await dono('eventos_pendentes').orderBy('consumidor').pluck('consumidor') };
}

test.serial(
  'o que esperava para sair não sai do restaurado, que diz quanto era, e sai com --enviar-pendentes',
  async (t) => {
    for (const tabela of ['correio_pedidos', 'webhook_entregas', 'push_envios']) await origem.dono(tabela).delete();
    await porEnviar(origem.dono, clientes[0]!.provedor);
    const antes = await estadosDe(origem);
    const comPendentes = path.join(pasta, 'com-pendentes');
    t.is((await terminal.malha(['backup', 'fazer', comPendentes], daOrigem())).codigo, 0);
    const restaurar = async (nome: string, ...mais: string[]) => {
      const destino = await servidor(nome, []);
      const env = {
        DATABASE_URL: destino.applicationUrl,
        DATABASE_OWNER_URL: destino.ownerUrl,
        REDIS_URL: await redisUrl(),
      };
      const feito = await terminal.malha(['backup', 'restaurar', comPendentes, ...mais], env);
      t.is(feito.codigo, 0, feito.stderr);
      return { stdout: feito.stdout, estados: await estadosDe(destino) };
    };
    const semEles = await restaurar('encerrado');
    t.regex(
      semEles.stdout,
      /\nEsperavam e não saem: 2 e-mails, 2 entregas de webhooks, 2 push, 1 evento por contar \(.+\)\.\n/u,
    );
    t.deepEqual(semEles.estados, {
      correio_pedidos: ['dispensada', 'dispensada', 'entregue'],
      webhook_entregas: ['cancelada', 'cancelada', 'entregue'],
      push_envios: ['esgotada', 'esgotada', 'entregue'],
      // What others wait for is no word to anybody outside.
      esperam: ['importacoes'],
    });
    const comEles = await restaurar('por_enviar', '--enviar-pendentes');
    t.notRegex(comEles.stdout, /não saem/u);
    t.deepEqual(comEles.estados, antes);
    // Their secrets are none.
    for (const tabela of ['webhook_entregas', 'webhook_mensagens', 'webhooks', 'push_dispositivos'])
      await origem.dono(tabela).delete();
  },
);

test.serial('os logs binários se copiam à medida que crescem, com um direito só', async (t) => {
  const destino = path.join(pasta, 'copiados');
  // As a disk that is mounted there has it.
  mkdirSync(path.join(destino, 'lost+found'), { recursive: true });
  const raiz = createDatabase({ url: raizDe(origem), pool: 1 });
  const noMysql = await ehMysql(raiz);
  await raiz.raw("CREATE USER 'malha_log'@'localhost' IDENTIFIED BY 'log'");
  await raiz.raw("GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO 'malha_log'@'localhost'");
  const socket = new URL(origem.ownerUrl).searchParams.get('socketPath');
  const login = path.join(pasta, 'binlog.cnf');
  writeFileSync(login, `[client]\nuser=malha_log\npassword=log\nsocket=${socket}\n`, { mode: 0o600 });
  const unidade = readFileSync(new URL('../../../deploy/systemd/malha-binlog.service', import.meta.url), 'utf8');
  const [, comando = ''] = /^ExecStart=\/bin\/sh -c '((?:[^'])+)'$/m.exec(unidade) ?? [];
  const texto = comando
    .replaceAll('\\\n', '')
    .replaceAll('$$', '$')
    // The unit is for MariaDB; MySQL's programs take the same options.
    .replaceAll(/exec mariadb-binlog|mariadb(?= )/g, (nome) => (noMysql ? nome.replace(/mariadb-?/, 'mysql') : nome))
    .replaceAll('/var/lib/malha-binlog', destino)
    .replaceAll('/etc/malha/binlog.cnf', login);
  const copiar = () => spawn('/bin/sh', ['-c', texto], { stdio: ['ignore', 'ignore', 'pipe'] });
  const copiados = (): string[] =>
    readdirSync(destino)
      .filter((um) => um !== 'lost+found')
      .toSorted();
  const primeiro = copiar();
  t.teardown(() => void primeiro.kill('SIGKILL'));
  await ate(() => copiados().length > 0, 20_000);
  const antes = copiados().length;
  await raiz.raw('FLUSH BINARY LOGS');
  await ate(() => copiados().length > antes, 20_000);
  primeiro.kill('SIGTERM');
  // Begun again it goes on with the newest, and loses nothing.
  const segundo = copiar();
  t.teardown(() => void segundo.kill('SIGKILL'));
  await raiz.raw('FLUSH BINARY LOGS');
  await ate(() => copiados().length > antes + 1, 20_000);
  const doServidor = readdirSync(origem.dados)
    .filter((um) => /^bin\.\d+$/.test(um))
    .toSorted();
  await raiz.destroy();
  t.deepEqual(copiados(), doServidor);
  for (const nome of doServidor.slice(0, -1))
    t.deepEqual(readFileSync(path.join(destino, nome)), readFileSync(path.join(origem.dados, nome)), nome);
});

test.serial(
  'um banco que não está vazio não é tocado, nem se carrega um backup alterado ou sem os logs que pede',
  async (t) => {
    const vazio = await servidor('vazio', []);
    const noVazio = {
      DATABASE_URL: vazio.applicationUrl,
      DATABASE_OWNER_URL: vazio.ownerUrl,
      REDIS_URL: await redisUrl(),
    };
    const cheio = await terminal.malha(['backup', 'restaurar', backup], daOrigem());
    recusado(t, cheio, /malha não está vazio \(\d+ tabelas\)/u);
    recusado(t, await terminal.malha(['backup', 'restaurar', pasta], noVazio), /não é um backup inteiro/u);
    recusado(
      t,
      await terminal.malha(['backup', 'restaurar', backup, '--ate', '2026-11-27'], noVazio),
      /só com --logs/u,
    );
    const semLogs = path.join(pasta, 'sem-logs');
    mkdirSync(semLogs);
    const pedindo = ['backup', 'restaurar', backup, '--logs', semLogs];
    recusado(t, await terminal.malha(pedindo, noVazio), /Falta bin\.\d+ em/u);
    const logs = copiarLogs(path.join(pasta, 'logs-curtos'));
    const depois = ['backup', 'restaurar', backup, '--logs', logs, '--ate', '2099-01-01T00:00:00Z'];
    recusado(t, await terminal.malha(depois, noVazio), /Os logs acabam em 20\d\d-.+Z, antes de --ate/u);
    recusado(t, await terminal.malha(['backup', 'fazer', backup], daOrigem()), /já existe/u);

    const alterado = path.join(pasta, 'alterado');
    mkdirSync(alterado);
    const dump = readFileSync(path.join(backup, 'banco.sql.gz'));
    writeFileSync(path.join(alterado, 'banco.sql.gz'), dump.subarray(0, -1));
    copyFileSync(path.join(backup, 'manifesto.json'), path.join(alterado, 'manifesto.json'));
    recusado(t, await terminal.malha(['backup', 'restaurar', alterado], noVazio), /alterado ou está pela metade/u);
    const [tabelas] = await vazio.dono.raw('SHOW TABLES');
    t.deepEqual(tabelas, []);
  },
);

test.serial('com as chaves ele diz que as tem, e sem elas o restaurado diz que segredos não abrem', async (t) => {
  const [c] = clientes;
  const lugar = { tenant: c!.provedor, table: 'provedores', column: 'fcm_conta' };
  const cifrado = createSecrets(() => [Buffer.from(CHAVE_MESTRA, 'hex')]).seal(lugar, Buffer.from('conta'));
  await origem.dono('provedores').where({ id: c!.provedor }).update({ fcm_conta: cifrado });
  const comChaves = path.join(pasta, 'com-chaves');
  const feito = await terminal.malha(['backup', 'fazer', comChaves, '--com-chaves'], daOrigem());
  t.is(feito.codigo, 0, feito.stderr);
  t.regex(feito.stderr, /^ATENÇÃO: as chaves mestras estão na pasta/u);
  t.is(readFileSync(path.join(comChaves, 'chaves-mestras'), 'utf8'), `${CHAVE_MESTRA}\n`);
  t.is(statSync(path.join(comChaves, 'chaves-mestras')).mode & 0o077, 0);

  const destino = await servidor('segredos', []);
  const env = {
    DATABASE_URL: destino.applicationUrl,
    DATABASE_OWNER_URL: destino.ownerUrl,
    REDIS_URL: await redisUrl(),
    MALHA_CHAVE_MESTRA: 'b2'.repeat(32),
  };
  const { codigo, stderr } = await terminal.malha(['backup', 'restaurar', comChaves], env);
  t.is(codigo, 0, stderr);
  t.regex(stderr, /ATENÇÃO: nenhuma chave mestra das configurações abre segredos de provedores\./u);
});
