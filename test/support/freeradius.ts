import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Db } from '../../src/platform/mysql/database.ts';
import { programa } from './programas.ts';

const RESPOSTA = 'Received Accounting-Response';

/** Where Debian's package puts what FreeRADIUS comes with. */
const DE_FABRICA = '/etc/freeradius/3.0';

/** What `docs/freeradius.md` adds to it. */
const DO_MALHA = fileURLToPath(new URL('../../../docs/freeradius', import.meta.url));

/** Attributes of a RADIUS packet, by name; of a list, one each. `Packet-Src-IP-Address` is who sends it; unsaid, the NAS that it names. */
export type Atributos = Readonly<Record<string, string | number | readonly string[]>>;

/** A FreeRADIUS of the caller's own, with the stock configuration and `docs/freeradius.md`'s changes to it. */
export interface FreeRadius {
  readonly portas: { readonly auth: number; readonly acct: number; readonly coa: number };
  /** What it said so far. */
  dito(): string;
  /** What the policy refused, a line each. */
  recusas(): string[];
  /** CoA- and Disconnect-Requests that it took in a NAS's place, a line each, as its dictionaries read them. */
  coas(): string[];
  /** Sends an Accounting-Request with `radclient`; rejects when it is not answered. */
  contabilizar(atributos: Atributos): Promise<void>;
  /** Sends many of one NAS, some at a time; rejects unless each is answered. */
  contabilizarTodos(pacotes: readonly Atributos[]): Promise<void>;
  /** Sends one and waits for the answer; resolves to whether there was any. */
  respondeA(atributos: Atributos): Promise<boolean>;
  /** Sends an Access-Request with `radclient`; resolves to what it says of the answer. */
  autenticar(atributos: Atributos): Promise<string>;
  fechar(): Promise<void>;
}

export interface FreeRadiusOptions {
  /** A database with Malha's schema, by the user that may create users. */
  readonly dono: Db;
  readonly databaseUrl: string;
  /** Of the client that `radclient` is, as in the table `nas`. */
  readonly segredo: string;
  /** Address at which it also takes Disconnect-Requests, as a NAS would; see `sites-available/coa`. */
  readonly enderecoCoa: string;
  /** What stands in `clients.conf`. */
  readonly clientes?: string;
}

export async function criarFreeRadius(options: FreeRadiusOptions): Promise<FreeRadius> {
  const { dono, databaseUrl, segredo, enderecoCoa, clientes = '' } = options;
  const [binario, radclient] = [await programa('freeradius'), await programa('radclient')];
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-radius-'));
  const [auth, acct, coa] = await portasLivres(enderecoCoa);
  const url = new URL(databaseUrl);
  const socket = url.searchParams.get('socketPath');
  const usuario = { nome: `radius_${randomBytes(6).toString('hex')}`, senha: randomBytes(12).toString('hex') };
  const conta = [usuario.nome, socket === null ? '%' : 'localhost'] as const;
  await criarUsuario(dono, conta, usuario.senha);

  const raddb = path.join(pasta, 'raddb');
  try {
    cpSync(DE_FABRICA, raddb, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    throw new Error(`Não se pode ler ${DE_FABRICA}: rode como root ou no grupo freerad.`, { cause: error });
  }
  for (const nome of ['log', 'run/freeradius']) mkdirSync(path.join(pasta, nome), { recursive: true });
  const editar = (arquivo: string, mudancas: readonly (readonly [de: RegExp, para: string])[]): void => {
    const texto = readFileSync(path.join(raddb, arquivo), 'utf8');
    const mudado = mudancas.reduce((antes, [de, para]) => {
      if (!de.test(antes)) throw new Error(`${arquivo} não tem ${de}: outra versão do FreeRADIUS?`);
      return antes.replace(de, () => para);
    }, texto);
    writeFileSync(path.join(raddb, arquivo), mudado);
  };
  // What is ours because it is a private instance: folders, user, ports.
  editar('radiusd.conf', [
    [/^localstatedir = .*$/m, `localstatedir = ${pasta}`],
    [/^logdir = .*$/m, `logdir = ${pasta}/log`],
    [/^raddbdir = .*$/m, `raddbdir = ${raddb}`],
    [/^\s*user = .*$/m, ''],
    [/^\s*group = .*$/m, ''],
  ]);
  const escuta = (tipo: string, ip: string, porta: number, mais = ''): string =>
    `listen {\n  type = ${tipo}\n  ipaddr = ${ip}\n  port = ${porta}\n${mais}}\n`;
  editar('sites-available/default', [
    [/^listen \{[^]*?(?=^authorize \{)/m, escuta('auth', '127.0.0.1', auth) + escuta('acct', '127.0.0.1', acct)],
  ]);
  // It is for EAP inside a tunnel; of itself it would listen at a fixed port, for tests of it.
  editar('sites-available/inner-tunnel', [[/^listen \{[^]*?^\}/m, '']]);
  editar('sites-available/coa', [[/^listen \{[^]*?^\}/m, escuta('coa', enderecoCoa, coa, '  virtual_server = coa\n')]]);
  editar('sites-available/coa', [[/^\t\t#  Insert your own policies here\.$/m, '\t\tcoas']]);
  writeFileSync(
    path.join(raddb, 'mods-enabled/coas'),
    `linelog coas {\n  filename = "${pasta}/log/coas.log"\n  format = "%{Packet-Type} %{pairs:request:}"\n}\n`,
  );
  symlinkSync('../sites-available/coa', path.join(raddb, 'sites-enabled/coa'));
  writeFileSync(path.join(raddb, 'clients.conf'), clientes);
  // What docs/freeradius.md says to change.
  editar('mods-available/sql', [
    [/^\tdialect = .*$/m, '\tdialect = "mysql"'],
    [/^\tdriver = .*$/m, '\tdriver = "rlm_sql_${dialect}"'],
    [/^\tmysql \{[^]*?^\t\}/m, ''],
    [/^#\tserver = .*$/m, `\tserver = "${socket === null ? url.hostname : 'localhost'}"`],
    [/^#\tport = .*$/m, url.port === '' ? '' : `\tport = ${url.port}`],
    [/^#\tlogin = .*$/m, `\tlogin = "${usuario.nome}"`],
    [/^#\tpassword = .*$/m, `\tpassword = "${usuario.senha}"`],
    [/^\tradius_db = .*$/m, `\tradius_db = "${url.pathname.slice(1)}"`],
    [/^#\tread_clients = .*$/m, `\tread_clients = yes\n\topen_query = "SET time_zone = '+00:00'"`],
  ]);
  symlinkSync('../mods-available/sql', path.join(raddb, 'mods-enabled/sql'));
  cpSync(DO_MALHA, raddb, { recursive: true });
  symlinkSync('../mods-available/malha_recusas', path.join(raddb, 'mods-enabled/malha_recusas'));
  editar('sites-available/default', [[/^\tpreprocess$/gm, '\tpreprocess\n\tmalha_origem']]);
  const contabilidade = /^accounting \{[^]*?(?=^\t-sql$)/m;
  const antes = contabilidade.exec(readFileSync(path.join(raddb, 'sites-available/default'), 'utf8'))?.[0] ?? '';
  editar('sites-available/default', [[contabilidade, `${antes}\tmalha_portas\n`]]);
  // A database server in Brasília's time, as they come: what makes radacct hold UTC is the module's open_query.
  const cliente = ['[freeradius]', `init-command = "SET time_zone = '-03:00'"`];
  writeFileSync(path.join(pasta, '.my.cnf'), [...cliente, socket === null ? '' : `socket = ${socket}`, ''].join('\n'));

  const servidor = spawn(binario, ['-f', '-l', 'stdout', '-d', raddb], {
    env: { PATH: process.env['PATH'], HOME: pasta, TZ: 'America/Sao_Paulo' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // However the caller ends.
  const aoSair = (): void => void servidor.kill('SIGKILL');
  process.once('exit', aoSair);
  const saiu = once(servidor, 'exit');
  let dito = '';
  const pronto = new Promise<void>((resolve, reject) => {
    for (const saida of [servidor.stdout, servidor.stderr]) {
      saida.setEncoding('utf8').on('data', (texto: string) => {
        dito += texto;
        if (dito.includes('Ready to process requests')) resolve();
      });
    }
    void saiu.then(() => reject(new Error(`o FreeRADIUS não começou:\n${dito.slice(-2000)}`)));
  });
  await pronto;

  const enviar = async (tipo: 'auth' | 'acct', porta: number, atributos: Atributos): Promise<string> =>
    enviarTodos(tipo, porta, [atributos]);

  async function enviarTodos(tipo: 'auth' | 'acct', porta: number, pacotes: readonly Atributos[]): Promise<string> {
    const juntos = ['-p', String(Math.min(pacotes.length, 20)), '-r', pacotes.length === 1 ? '1' : '3'];
    const filho = spawn(radclient, ['-x', ...juntos, '-t', '5', `127.0.0.1:${porta}`, tipo, segredo]);
    let saida = '';
    for (const fluxo of [filho.stdout, filho.stderr]) {
      fluxo.setEncoding('utf8').on('data', (texto: string) => (saida += texto));
    }
    const textos = pacotes.map((atributos) => {
      const nas = atributos['NAS-IP-Address'];
      const todos = Object.entries({ ...(nas === undefined ? {} : { 'Packet-Src-IP-Address': nas }), ...atributos });
      return todos.flatMap(([nome, valor]) => [valor].flat().map((um) => `${nome} = ${JSON.stringify(um)}`)).join('\n');
    });
    filho.stdin.end(textos.join('\n\n'));
    await once(filho, 'close');
    return saida;
  }

  const linhasDe = (nome: string): string[] => {
    const arquivo = path.join(pasta, 'log', nome);
    return existsSync(arquivo) ? readFileSync(arquivo, 'utf8').trimEnd().split('\n') : [];
  };
  return {
    portas: { auth, acct, coa },
    dito: () => dito,
    recusas: () => linhasDe('malha-recusas.log'),
    coas: () => linhasDe('coas.log'),
    async contabilizar(atributos) {
      const saida = await enviar('acct', acct, atributos);
      if (!saida.includes(RESPOSTA)) throw new Error(`sem resposta:\n${saida}\n${dito.slice(-2000)}`);
    },
    async contabilizarTodos(pacotes) {
      const saida = await enviarTodos('acct', acct, pacotes);
      const respondidos = saida.split(RESPOSTA).length - 1;
      if (respondidos !== pacotes.length)
        throw new Error(`${respondidos} de ${pacotes.length}:\n${saida.slice(-2000)}`);
    },
    respondeA: async (atributos) => (await enviar('acct', acct, atributos)).includes(RESPOSTA),
    autenticar: (atributos) => enviar('auth', auth, atributos),
    async fechar() {
      servidor.kill('SIGTERM');
      await saiu;
      process.off('exit', aoSair);
      await dono.raw('DROP USER ?@?', [...conta]);
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}

/** The grants of FreeRADIUS's own `setup.sql`. */
async function criarUsuario(dono: Db, conta: readonly [nome: string, host: string], senha: string): Promise<void> {
  await dono.raw('CREATE USER ?@? IDENTIFIED BY ?', [...conta, senha]);
  for (const tabela of ['radcheck', 'radreply', 'radusergroup', 'radgroupcheck', 'radgroupreply', 'nas']) {
    await dono.raw('GRANT SELECT ON ?? TO ?@?', [tabela, ...conta]);
  }
  for (const tabela of ['radacct', 'radpostauth', 'nasreload']) {
    await dono.raw('GRANT SELECT, INSERT, UPDATE ON ?? TO ?@?', [tabela, ...conta]);
  }
  // And what docs/freeradius.md adds.
  await dono.raw('GRANT SELECT, INSERT ON ?? TO ?@?', ['registros_portas', ...conta]);
}

async function portasLivres(enderecoCoa: string): Promise<[auth: number, acct: number, coa: number]> {
  const sockets = ['127.0.0.1', '127.0.0.1', enderecoCoa].map((endereco) => ({
    endereco,
    socket: createSocket('udp4'),
  }));
  const portas: number[] = [];
  for (const { endereco, socket } of sockets) {
    socket.bind(0, endereco);
    await once(socket, 'listening');
    portas.push(socket.address().port);
  }
  for (const { socket } of sockets) {
    socket.close();
    await once(socket, 'close');
  }
  return portas as [number, number, number];
}
