import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders, RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DestinationStream } from 'pino';
import { TERMINAL } from '../../src/domain/actor.ts';
import { createContainer } from '../../src/app/compose/container.ts';
import type { Container } from '../../src/app/compose/container.ts';
import { PERMISSOES } from '../../src/domain/chaves/chaves.types.ts';
import type { NovaChave } from '../../src/domain/chaves/chaves.types.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { closeServer, listen } from '../../src/platform/http/server.ts';
import type { Relogio } from '../../src/platform/timing/relogio.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import type { Rota as RotaDoApp } from '../../src/surfaces/app-api/rota.ts';
import type { Rota } from '../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../src/surfaces/public-api/rotas.ts';
import { criarBanco, redisUrl } from './banco.ts';
import { conferirResposta, criarContrato } from './contrato-openapi.ts';
import type { Contrato } from './contrato-openapi.ts';
import { vigiarComandos } from './portabilidade.ts';

export interface Resposta {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly texto: string;
  /** The parsed body. */
  readonly corpo: any;
}

export interface Envio {
  readonly chave?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly corpo?: string | Buffer;
  /** Which of the API's processes to ask. */
  readonly processo?: number;
}

/** The API with its database, on real servers. */
export interface Api {
  readonly container: Container;
  /** One a process. */
  readonly containers: readonly Container[];
  readonly databaseUrl: string;
  /** The same database as the schema's owner, for what the application may not do. */
  readonly dono: Db;
  readonly redisUrl: string;
  /** Folder of the extracts. */
  readonly extratos: string;
  readonly porta: number;
  /** Of each process. */
  readonly portas: readonly number[];
  pedir(metodo: string, caminho: string, envio?: Envio): Promise<Resposta>;
  get(caminho: string, envio?: Envio): Promise<Resposta>;
  /** A key with every permission and the highest limit, unless told otherwise. */
  criarChave(provedorId: number, nova?: Partial<NovaChave>): Promise<{ id: number; texto: string }>;
  fechar(): Promise<void>;
}

export interface ApiOptions {
  readonly relogio?: Relogio;
  readonly rotas?: readonly Rota[];
  /** The same of `/v1`. */
  readonly rotasDoApp?: readonly RotaDoApp[];
  readonly proxies?: number;
  /** Independent copies of the service on the same database and Redis, each with its own caches and port. */
  readonly processos?: number;
  /** Of the only process, where another listened before. */
  readonly porta?: number;
  /** A Redis of the test's own, which need not be there. */
  readonly redis?: string;
  /** The way to the database, such as through a proxy that can be cut. */
  readonly caminhoDoBanco?: (url: string) => Promise<string>;
  /** The database of another, which closes it. */
  readonly bancoDe?: Pick<Api, 'databaseUrl' | 'dono'>;
  /** Settings besides those of every test. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where log lines go instead of stdout. */
  readonly destinoDoLog?: DestinationStream;
  /** Threads instead of the service's own. */
  readonly pastaDeThreads?: URL;
}

export async function criarApi(options: ApiOptions = {}): Promise<Api> {
  const {
    relogio = relogioDoSistema,
    rotas = ROTAS,
    proxies = 0,
    processos = 1,
    env = {},
    destinoDoLog,
    pastaDeThreads,
  } = options;
  const banco =
    options.bancoDe === undefined
      ? await criarBanco()
      : { url: options.bancoDe.databaseUrl, db: options.bancoDe.dono, fechar: async () => {} };
  const redis = options.redis ?? (await redisUrl());
  const databaseUrl = (await options.caminhoDoBanco?.(banco.url)) ?? banco.url;
  const extratos = await mkdtemp(path.join(tmpdir(), 'malha-extratos-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    MALHA_LOG: process.env['MALHA_LOG'] ?? 'fatal',
    MALHA_PROXIES: String(proxies),
    MALHA_EXTRATOS: extratos,
    ...env,
  });
  const copias = await Promise.all(
    Array.from({ length: processos }, async () => {
      const container = createContainer({
        config,
        databaseUrl,
        redisUrl: redis,
        relogio,
        routes: rotas,
        // The tests' Redis serves many files: when it is busy with theirs, nothing is to be answered as if it were away.
        patient: options.redis === undefined,
        ...(options.rotasDoApp === undefined ? {} : { appRoutes: options.rotasDoApp }),
        ...(destinoDoLog === undefined ? {} : { logDestination: destinoDoLog }),
        ...(pastaDeThreads === undefined ? {} : { threadsFolder: pastaDeThreads }),
      });
      const conferirComandos = vigiarComandos(container.db);
      if (options.redis === undefined) await container.redisReady();
      const server = container.createHttp();
      return { container, conferirComandos, server, porta: await listen(server, options.porta ?? 0, '127.0.0.1') };
    }),
  );
  const [primeira] = copias;
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const conferir = criarContrato(rotas, options.rotasDoApp);

  async function pedir(metodo: string, caminho: string, envio: Envio = {}): Promise<Resposta> {
    const alvo = caminho.startsWith('/') ? `/api/v1${caminho}` : caminho.slice('raiz:'.length);
    const headers = { ...(envio.chave === undefined ? {} : { 'x-api-key': envio.chave }), ...envio.headers };
    const porta = copias[envio.processo ?? 0]!.porta;
    const resposta = await enviar(
      { host: '127.0.0.1', port: porta, method: metodo, path: alvo, headers, agent },
      envio.corpo,
      conferir,
    );
    return { ...resposta, corpo: interpretar(resposta) };
  }

  return {
    container: primeira!.container,
    containers: copias.map(({ container }) => container),
    databaseUrl: banco.url,
    dono: banco.db,
    redisUrl: redis,
    extratos,
    porta: primeira!.porta,
    portas: copias.map(({ porta }) => porta),
    pedir,
    get: (caminho, envio) => pedir('GET', caminho, envio),
    criarChave: (provedorId, nova) =>
      primeira!.container.chaves.criar(TERMINAL, provedorId, {
        nome: 'testes',
        permissoes: PERMISSOES,
        limitePorMinuto: 1200,
        ...nova,
      }),
    async fechar() {
      agent.destroy();
      for (const { container, server } of copias) {
        await closeServer(server, 1000);
        await container.close();
      }
      await banco.fechar();
      for (const { conferirComandos } of copias) conferirComandos();
      await rm(extratos, { recursive: true, force: true });
    },
  };
}

function interpretar({ headers, texto }: Recebido): unknown {
  return texto !== '' && headers['content-type']?.startsWith('application/json') === true ? JSON.parse(texto) : texto;
}

/** A response whose body was not parsed. */
export interface Recebido extends Omit<Resposta, 'corpo'> {
  readonly bytes: Buffer;
}

/**
 * One request, as it is written: no client of ours tidies the path or the headers. What comes of the public API, from this process or
 * from another, is held against the OpenAPI document.
 */
export async function enviar(
  options: RequestOptions,
  corpo?: string | Buffer,
  conferir: Contrato = conferirResposta,
): Promise<Recebido> {
  const recebido = await new Promise<Recebido>((resolve, reject) => {
    const req = request(options, (res) => {
      const partes: Buffer[] = [];
      res.on('data', (parte: Buffer) => partes.push(parte));
      res.on('error', reject);
      res.on('end', () => {
        const bytes = Buffer.concat(partes);
        resolve({ status: res.statusCode ?? 0, headers: res.headers, texto: bytes.toString(), bytes });
      });
    });
    req.on('error', reject);
    req.end(corpo);
  });
  conferir({ metodo: options.method ?? 'GET', alvo: options.path ?? '/', ...recebido });
  return recebido;
}
