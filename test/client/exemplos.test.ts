import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test from 'ava';
import { CPF, criarAssinante, SENHA } from '../domain/acessos/apoio.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { pedirAoApp } from '../support/app-api.ts';
import { ate } from '../support/espera.ts';
import { WEBHOOKS_AQUI } from '../support/receptor.ts';

// The examples of the client's README, as an integrator has them: the packed package in a folder of his own, his own
// compiler's strictest settings, and the running service.

const PROJETO = process.cwd();

/** A command in a folder, as in a terminal of its own: `npm test` tells its children which project is npm's. */
async function run(pasta: string, command: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([nome]) => !nome.toLowerCase().startsWith('npm_')),
  );
  return (await promisify(execFile)(command, args, { cwd: pasta, env })).stdout;
}

let api: Api;
let pasta: string;
let ambiente: NodeJS.ProcessEnv;
let chave: string;
test.before(async () => {
  api = await criarApi({ env: WEBHOOKS_AQUI });
  const c = await criarAssinante(api);
  await c.fabrica.contrato(c.provedor.id, {
    cliente_id: c.cliente,
    plano_id: await c.fabrica.plano(c.provedor.id),
  });
  await api.dono('provedores').where('id', c.provedor.id).update({ panel_host: 'localhost' });
  ({ texto: chave } = await api.criarChave(c.provedor.id));
  const { PATH, HOME } = process.env;
  const MALHA_URL = `http://localhost:${api.porta}`;
  ambiente = { PATH, HOME, MALHA_URL, MALHA_CHAVE: chave, CPF_CNPJ: CPF, SENHA };
  pasta = await mkdtemp(path.join(tmpdir(), 'malha-client-'));
  await instalar();
});
test.after.always(async () => {
  await api.fechar();
  await rm(pasta, { recursive: true, force: true });
});

async function instalar(): Promise<void> {
  await run(path.join(PROJETO, 'client'), 'npm', 'pack', '--silent', '--pack-destination', pasta);
  await writeFile(path.join(pasta, 'package.json'), '{"type":"module","private":true}');
  await run(pasta, 'npm', 'install', '--silent', '--offline', '--no-audit', './malha-client-1.0.0.tgz');
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    types: ['node'],
    typeRoots: [path.join(PROJETO, 'node_modules', '@types')],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noPropertyAccessFromIndexSignature: true,
  };
  await writeFile(path.join(pasta, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const leiame = await readFile(path.join(PROJETO, 'client', 'README.md'), 'utf8');
  for (const [, titulo = '', codigo = ''] of leiame.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```ts\n([^]*?)^```/gm)) {
    await writeFile(path.join(pasta, `${nomeDe(titulo)}.ts`), codigo);
  }
  await run(pasta, path.join(PROJETO, 'node_modules', '.bin', 'tsc'));
}

const nomeDe = (titulo: string): string => titulo.toLowerCase().replaceAll(/\W+/g, '-');

const rodar = async (titulo: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, [path.join(pasta, `${nomeDe(titulo)}.js`)], { env: ambiente })).stdout;

test('o pacote tem só o que se importa, e nenhuma dependência', async (t) => {
  const instalado = path.join(pasta, 'node_modules', 'malha-client');
  const pacote = JSON.parse(await readFile(path.join(instalado, 'package.json'), 'utf8')) as object;
  t.false('dependencies' in pacote);
  const arquivos = await run(instalado, 'find', '.', '-type', 'f');
  t.true(
    arquivos.split('\n').every((nome) => /^(?:|\.\/(?:package\.json|README\.md|dist\/.+\.(?:js|d\.ts)))$/.test(nome)),
  );
});

test('consultar, ler uma lista, e entrar como assinante', async (t) => {
  t.regex(await rodar('Consultar'), /^Fibra \d+ ativo desconhecido\n$/);
  t.regex(await rodar('Ler uma lista inteira'), /^\d+ Maria da Silva\n/);
  t.regex(await rodar('O aplicativo do assinante'), /^cliente \d+\n$/);
});

test('gravar: repetido com a mesma chave, não se faz de novo', async (t) => {
  const feito = await rodar('Gravar');
  t.regex(feito, /^cadastrado \d+\n$/);
  t.is(await rodar('Gravar'), feito);
});

test('receber webhooks: o que o serviço entrega confere', async (t) => {
  const porta = await portaLivre();
  const pedir = pedirAoApp(api);
  const url = `http://127.0.0.1:${porta}/malha`;
  const { corpo } = await pedir('POST', '/webhooks', { chave, corpo: { url, events: ['*'] } });
  const receptor = spawn(process.execPath, [path.join(pasta, 'receber-webhooks.js')], {
    env: { ...ambiente, PORTA: String(porta), MALHA_SEGREDO: corpo.data.secret as string },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => receptor.kill());
  const saida = text(receptor.stdout);
  await ate(async () => escuta(porta));
  const teste = await pedir('POST', `/webhooks/${corpo.data.id}/test`, { chave, corpo: { type: 'fatura.paga' } });
  t.is(teste.corpo.data.status_code, 204, teste.texto);
  receptor.kill();
  t.regex(await saida, /^paga \d+ [\d.]+\n$/);
});

const escuta = async (porta: number): Promise<boolean> =>
  new Promise((dizer) => {
    const tomada = connect(porta, '127.0.0.1');
    tomada.on('error', () => dizer(false));
    tomada.on('connect', () => {
      tomada.destroy();
      dizer(true);
    });
  });

async function portaLivre(): Promise<number> {
  const servidor = createServer();
  await new Promise<void>((pronto) => {
    servidor.listen(0, '127.0.0.1', pronto);
  });
  const { port } = servidor.address() as AddressInfo;
  await new Promise((fechado) => {
    servidor.close(fechado);
  });
  return port;
}
