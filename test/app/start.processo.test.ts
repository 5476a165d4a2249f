import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, urlToHttpOptions } from 'node:url';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { ChavesDemo } from '../../seeds/demonstracao.ts';
import { PERMISSOES } from '../../src/domain/chaves/chaves.types.ts';
import { listen } from '../../src/platform/http/server.ts';
import { enviar } from '../support/api.ts';
import type { Resposta } from '../support/api.ts';

const CLI = fileURLToPath(new URL('../../src/cli.js', import.meta.url));

// One folder for all: what kill -9 leaves behind goes with it. The tests of a folder follow one another, as its owner's days do.
const raiz = mkdtempSync(join(tmpdir(), 'malha-inicio-'));
const PASTA = join(raiz, 'dados');
const vivos: ChildProcess[] = [];

test.after.always(async () => {
  for (const filho of vivos) filho.kill('SIGKILL');
  await ate(() => processosDe(raiz).length === 0);
  rmSync(raiz, { recursive: true, force: true });
});

interface ProvedorDemo {
  readonly id: number;
  readonly nome: string;
  readonly panel_host: string;
  readonly chaves: ChavesDemo;
  readonly cenarios: Record<string, unknown>;
}
interface Demo {
  readonly url: string;
  readonly base_url: string;
  readonly provedores: ProvedorDemo[];
}

interface Servico {
  readonly linhas: string[];
  readonly url: string;
  readonly demo: Demo;
  /** Sends a signal; resolves to the exit code once the process is gone. */
  encerrar(sinal: NodeJS.Signals): Promise<number | null>;
}

const ambiente = (pasta: string, mais: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  TMPDIR: raiz,
  PORT: '0',
  MALHA_LOG: 'warn',
  MALHA_DATA_DIR: pasta,
  ...mais,
});

/** `malha start` on private servers of its own, once it has said how to try it. */
async function iniciar(t: ExecutionContext, pasta: string): Promise<Servico> {
  const filho = spawn(process.execPath, [CLI, 'start'], { env: ambiente(pasta), stdio: ['ignore', 'pipe', 'pipe'] });
  vivos.push(filho);
  const saiu = once(filho, 'exit') as Promise<[number | null]>;
  const linhas: string[] = [];
  let erros = '';
  filho.stderr.on('data', (parte: Buffer) => (erros += parte.toString()));
  const lidas = createInterface({ input: filho.stdout });
  await new Promise<void>((resolve, reject) => {
    lidas.on('line', (linha) => {
      linhas.push(linha);
      if (linha.includes('curl')) resolve();
    });
    lidas.on('close', () => reject(new Error(`não começou:\n${linhas.join('\n')}\n${erros}`)));
  });
  t.is(erros, '');
  const demo = JSON.parse(readFileSync(join(pasta, 'demo.json'), 'utf8')) as Demo;
  return {
    linhas,
    url: /Malha em (http:\/\/127\.0\.0\.1:\d+) /.exec(linhas.join('\n'))?.[1] ?? '',
    demo,
    async encerrar(sinal) {
      filho.kill(sinal);
      const [codigo] = await saiu;
      return codigo;
    },
  };
}

interface Saida {
  readonly codigo: number;
  readonly stdout: string;
  readonly stderr: string;
}
function malha(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Saida> {
  return new Promise((resolve) => {
    const filho = execFile(process.execPath, [CLI, ...args], { env }, (_erro, stdout, stderr) => {
      resolve({ codigo: filho.exitCode ?? -1, stdout, stderr });
    });
  });
}

/** Command lines of live processes that name a folder. */
function processosDe(pasta: string): string[] {
  return readdirSync('/proc')
    .filter((nome) => /^\d+$/.test(nome))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((comando) => comando.includes(pasta));
}

async function ate(condicao: () => boolean): Promise<void> {
  const limite = Date.now() + 30_000;
  while (!condicao() && Date.now() < limite) await sleep(20);
}

async function pedir(url: string, chave: string): Promise<Resposta> {
  const resposta = await enviar({ ...urlToHttpOptions(new URL(url)), headers: { authorization: `Bearer ${chave}` } });
  return { ...resposta, corpo: JSON.parse(resposta.texto) };
}

const total = async (demo: Demo, provedor: ProvedorDemo, lista: string): Promise<number> =>
  (await pedir(`${demo.base_url}/${lista}`, provedor.chaves.completa)).corpo.paginacao.total as number;

let servico: Servico;
let primeira: { demo: Demo; clientes: number };

test.serial('o início diz o endereço, a documentação e um curl que funciona', async (t) => {
  servico = await iniciar(t, PASTA);
  const { linhas, url, demo } = servico;
  t.regex(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
  t.true(linhas.some((linha) => linha.includes(`${url}/api/v1/docs`)));
  t.true(linhas.some((linha) => linha.includes(join(PASTA, 'demo.json'))));
  const { port } = new URL(url);
  t.true(linhas.some((linha) => linha.includes(`http://serraazul.localhost:${port}/painel`)));
  t.true(linhas.some((linha) => /entre com \S+@\S+ e a senha \S+/.test(linha)));

  // The line as a shell would read it: words and 'quoted words'.
  const linha = linhas.find((dita) => dita.includes('curl')) ?? '';
  const [programa, opcao, cabecalho = '', alvo = '', ...resto] = [...linha.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, entreAspas, palavra]) => entreAspas ?? palavra ?? '',
  );
  t.deepEqual([programa, opcao, resto], ['curl', '-H', []]);
  const [nome = '', valor = ''] = cabecalho.split(': ');
  const resposta = await enviar({ ...urlToHttpOptions(new URL(alvo)), headers: { [nome]: valor } });
  t.is(resposta.status, 200);
  t.like(JSON.parse(resposta.texto), { sucesso: true, dados: { provedor: demo.provedores[0]!.nome, versao: 'v1' } });
  t.is((await enviar(urlToHttpOptions(new URL(`${url}/api/v1/docs`)))).status, 200);
  primeira = { demo, clientes: await total(demo, demo.provedores[0]!, 'clientes') };
  t.true(primeira.clientes > 0);
});

test.serial('demo.json tem a forma documentada e só o seu dono o lê', (t) => {
  const { demo, url } = servico;
  t.is(statSync(join(PASTA, 'demo.json')).mode & 0o777, 0o600);
  t.deepEqual(Object.keys(demo), ['url', 'base_url', 'provedores']);
  t.is(demo.url, url);
  t.is(demo.base_url, `${url}/api/v1`);
  t.is(demo.provedores.length, 2);
  const daAutenticacao = ['completa', 'so_planos', 'expirada', 'revogada', 'ip_restrito', 'limite_5'];
  const chaves = [...daAutenticacao, 'mascarada', 'somente_busca', 'chatbot'];
  const textos = new Set<string>();
  for (const provedor of demo.provedores) {
    t.deepEqual(Object.keys(provedor).toSorted(), [
      'cenarios',
      'chaves',
      'id',
      'nome',
      'panel_host',
      'usuarios',
      'webhook_pix',
    ]);
    t.deepEqual(Object.keys(provedor.chaves).toSorted(), chaves.toSorted());
    for (const texto of Object.values(provedor.chaves)) {
      t.regex(texto, new RegExp(`^malha_${provedor.id.toString(36)}_[0-9A-Za-z]{38}$`));
      textos.add(texto);
    }
    const { desbloqueio, cliente_cpf, cliente_cnpj, telefone, protocolo, ...ids } = provedor.cenarios;
    t.regex(protocolo as string, /^\d{14}$/);
    t.regex(cliente_cpf as string, /^\d{11}$/);
    t.regex(cliente_cnpj as string, /^[0-9A-Z]{12}\d\d$/);
    t.regex(telefone as string, /^\d{10,13}$/);
    const deFatura = ['fatura_vencida', 'fatura_paga', 'fatura_pix', 'fatura_boleto'];
    t.deepEqual(Object.keys(ids).toSorted(), ['chamado_aberto', 'chamado_fechado', 'promessa', ...deFatura].toSorted());
    const deDesbloqueio = ['permitido', 'manual', 'nao_bloqueado', 'fatura_anterior', 'ativo'];
    t.deepEqual(Object.keys(desbloqueio as object).toSorted(), deDesbloqueio.toSorted());
    for (const id of [...Object.values(ids), ...Object.values(desbloqueio as object)]) t.true(Number.isSafeInteger(id));
  }
  t.is(textos.size, 18);
});

test.serial('cada chave de demonstração responde o que o seu nome diz', async (t) => {
  const { demo } = servico;
  for (const { nome, chaves } of demo.provedores) {
    const em = (caminho: string, chave: string) => pedir(`${demo.base_url}${caminho}`, chave);
    const status = await em('/status', chaves.completa);
    t.like(status.corpo.dados, { provedor: nome, permissoes: [...PERMISSOES] });

    t.is((await em('/planos', chaves.so_planos)).status, 200);
    const semPermissao = await em('/clientes', chaves.so_planos);
    t.is(semPermissao.status, 403);
    t.is(semPermissao.corpo.erro.codigo, 'permissao_insuficiente');
    for (const [chave, estado, codigo] of [
      [chaves.expirada, 401, 'chave_expirada'],
      [chaves.revogada, 401, 'chave_revogada'],
      [chaves.ip_restrito, 403, 'ip_nao_autorizado'],
    ] as const) {
      const recusa = await em('/status', chave);
      t.is(recusa.status, estado, codigo);
      t.is(recusa.corpo.erro.codigo, codigo);
    }
    for (let n = 1; n <= 5; n += 1) t.is((await em('/status', chaves.limite_5)).status, 200, String(n));
    const sexta = await em('/status', chaves.limite_5);
    t.is(sexta.status, 429);
    t.is(sexta.corpo.erro.codigo, 'limite_excedido');
    t.is(sexta.headers['x-ratelimit-limit'], '5');

    for (const [chave, restricoes, lista] of [
      [chaves.mascarada, ['dados_mascarados'], 200],
      [chaves.somente_busca, ['somente_busca'], 403],
      [chaves.chatbot, ['somente_busca', 'dados_mascarados'], 403],
    ] as const) {
      t.deepEqual((await em('/status', chave)).corpo.dados.restricoes, restricoes);
      const clientes = await em('/clientes', chave);
      t.is(clientes.status, lista, restricoes.join());
      if (lista === 403) t.is(clientes.corpo.erro.codigo, 'busca_exigida');
    }
  }
});

test.serial('cada cenário de demonstração mostra pela API o que o seu nome diz', async (t) => {
  const { demo } = servico;
  for (const { chaves, cenarios } of demo.provedores) {
    const em = async (caminho: string): Promise<any> => {
      const { status, corpo } = await pedir(`${demo.base_url}${caminho}`, chaves.completa);
      t.is(status, 200, caminho);
      return corpo.dados;
    };
    const c = cenarios as Record<string, string | number> & { desbloqueio: Record<string, number> };
    for (const [filtro, tipo] of [
      [`cpf_cnpj=${c['cliente_cpf']}`, 'pf'],
      [`cpf_cnpj=${c['cliente_cnpj']}`, 'pj'],
    ] as const) {
      const achados = await em(`/clientes?${filtro}`);
      t.is(achados.length, 1);
      t.is(achados[0].tipo, tipo);
    }
    t.true((await em(`/clientes?telefone=${c['telefone']}`)).length > 0);
    t.is((await em(`/faturas/${c['fatura_vencida']}`)).situacao, 'vencida');
    t.like(await em(`/faturas/${c['fatura_paga']}`), { situacao: 'paga', segunda_via: null });
    t.regex((await em(`/faturas/${c['fatura_pix']}`)).segunda_via.pix_copia_cola, /^000201/);
    t.regex((await em(`/faturas/${c['fatura_boleto']}`)).segunda_via.linha_digitavel, /^\d{47}$/);
    t.is((await em(`/chamados/${c['chamado_aberto']}`)).fechado_em, null);
    t.not((await em(`/chamados/${c['chamado_fechado']}`)).fechado_em, null);
    const contrato = (nome: string) => em(`/contratos/${c.desbloqueio[nome]}`);
    for (const nome of ['permitido', 'manual', 'fatura_anterior'])
      t.is((await contrato(nome)).situacao, 'bloqueado', nome);
    t.is((await contrato('nao_bloqueado')).situacao, 'ativo');
    t.true((await contrato('ativo')).desbloqueio_confianca.ativo);
  }
});

test.serial('com o serviço no ar, os comandos usam os servidores dele', async (t) => {
  const [{ id }] = servico.demo.provedores as [ProvedorDemo];
  const { codigo, stdout, stderr } = await malha(
    ['chave', 'listar', '--provedor', String(id), '--json'],
    ambiente(PASTA),
  );
  t.is(codigo, 0, stderr);
  t.is((JSON.parse(stdout) as unknown[]).length, 9);
  const args = ['chave', 'criar', '--provedor', String(id), '--nome', 'nova', '--permissoes', 'todas', '--json'];
  const { chave } = JSON.parse((await malha(args, ambiente(PASTA))).stdout) as { chave: string };
  t.is((await pedir(`${servico.url}/api/v1/status`, chave)).status, 200);
  const [, , listada] = await Promise.all([1, 2, 3].map(() => malha(['provedor', 'listar'], ambiente(PASTA))));
  t.is(listada!.stdout.trimEnd().split('\n').length, 2);
  t.is((await pedir(`${servico.url}/api/v1/status`, chave)).status, 200, 'o serviço segue no ar');
});

test.serial('outro serviço na mesma pasta de dados não começa, e diz por quê em uma linha', async (t) => {
  const { codigo, stderr } = await malha(['start'], ambiente(PASTA));
  t.is(codigo, 1);
  t.regex(stderr, /^erro: .+\n$/u);
  t.true(stderr.includes(PASTA) || /em uso/.test(stderr), stderr);
});

test.serial('uma porta tomada custa uma linha e não deixa nada para trás', async (t) => {
  const outro = createServer();
  const porta = await listen(outro, 0, '127.0.0.1');
  const pasta = join(raiz, 'porta');
  const { codigo, stdout, stderr } = await malha(['start'], ambiente(pasta, { PORT: String(porta) }));
  outro.close();
  t.is(codigo, 1);
  t.is(stdout, '');
  t.is(stderr, `erro: A porta ${porta} já está em uso; escolha outra: PORT=${porta + 1} npm start\n`);
  t.false(existsSync(pasta));
  t.deepEqual(processosDe(pasta), []);
});

test.serial('SIGINT encerra com código 0, e nenhum servidor do serviço fica', async (t) => {
  t.true(processosDe(PASTA).some((comando) => /mariadbd|mysqld/.test(comando)));
  t.true(processosDe(PASTA).some((comando) => /redis|valkey/.test(comando)));
  t.is(await servico.encerrar('SIGINT'), 0);
  t.deepEqual(processosDe(PASTA), []);
  await t.throwsAsync(enviar(urlToHttpOptions(new URL(servico.url))));
});

test.serial('com o serviço parado, os comandos trazem os próprios servidores, e os levam ao sair', async (t) => {
  const [{ id }] = primeira.demo.provedores as [ProvedorDemo];
  const { codigo, stdout, stderr } = await malha(
    ['chave', 'listar', '--provedor', String(id), '--json'],
    ambiente(PASTA),
  );
  t.is(codigo, 0, stderr);
  t.is((JSON.parse(stdout) as unknown[]).length, 10);
  t.deepEqual(processosDe(PASTA), []);
});

test.serial('um segundo início mantém dados e chaves', async (t) => {
  servico = await iniciar(t, PASTA);
  const semEndereco = ({ provedores }: Demo) =>
    provedores.map(({ id, nome, panel_host, chaves }) => ({ id, nome, panel_host, chaves }));
  t.deepEqual(semEndereco(servico.demo), semEndereco(primeira.demo));
  t.is(servico.demo.base_url, `${servico.url}/api/v1`);
  t.is(await total(servico.demo, primeira.demo.provedores[0]!, 'clientes'), primeira.clientes);
});

test.serial('depois de um kill -9 os servidores terminam sozinhos, e o serviço começa de novo com tudo', async (t) => {
  const [{ id }] = servico.demo.provedores as [ProvedorDemo];
  const args = ['chave', 'criar', '--provedor', String(id), '--nome', 'antes', '--permissoes', 'todas', '--json'];
  const { chave } = JSON.parse((await malha(args, ambiente(PASTA))).stdout) as { chave: string };
  t.is(await servico.encerrar('SIGKILL'), null);

  // At once, while its servers may still be going.
  servico = await iniciar(t, PASTA);
  t.deepEqual(
    servico.demo.provedores.map(({ chaves }) => chaves),
    primeira.demo.provedores.map(({ chaves }) => chaves),
  );
  t.is(await total(servico.demo, primeira.demo.provedores[0]!, 'clientes'), primeira.clientes);
  t.is((await pedir(`${servico.url}/api/v1/status`, chave)).status, 200, 'o que foi confirmado antes do kill está lá');
  t.is(await servico.encerrar('SIGTERM'), 0);
  await ate(() => processosDe(PASTA).length === 0);
  t.deepEqual(processosDe(PASTA), []);
});

test.serial('com MALHA_DEMO=nao o início não cria chaves nem grava demo.json', async (t) => {
  rmSync(join(PASTA, 'demo.json'));
  const filho = spawn(process.execPath, [CLI, 'start'], {
    env: ambiente(PASTA, { MALHA_DEMO: 'nao' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  vivos.push(filho);
  const linhas: string[] = [];
  for await (const linha of createInterface({ input: filho.stdout })) {
    linhas.push(linha);
    if (linha.startsWith('Malha em')) filho.kill('SIGTERM');
  }
  t.is(filho.exitCode ?? ((await once(filho, 'exit')) as [number])[0], 0);
  t.false(linhas.some((linha) => linha.includes('curl')));
  t.false(existsSync(join(PASTA, 'demo.json')));
});
