import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { pastaDe, povoar } from '../domain/extratos/apoio.ts';
import { AUTOR } from '../support/autor.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { relogioEm } from '../support/relogio.ts';
import { conectar, desconectar } from './mcp/apoio.ts';

// The examples of the documents that call a surface for programs, as somebody who copies them has them. Those of the client's README are
// run where it is packed (test/client), and those of docs/primeiro-dia.md one after the other (test/cli).

const PROJETO = process.cwd();
const CPF = '52998224725';
const TELEFONE = '35999990001';

interface Exemplo {
  readonly texto: string;
  /** The block after it, which says what it prints where it is not of a command. */
  readonly depois: string;
}

type Rodar = (t: ExecutionContext, exemplo: Exemplo) => Promise<void>;

/** Every example that names a path of these surfaces, or a package that calls them, by file and language. */
const COMO: Readonly<Record<string, Rodar>> = {
  'README.md sh': async (t, { texto, depois }) => {
    t.deepEqual(JSON.parse(await noTerminal(texto)), JSON.parse(depois));
  },
  'docs/agentes.md json': async (t, { texto }) => {
    const { url, headers } = JSON.parse(texto).mcpServers.provedor;
    t.is(new URL(url).pathname, '/v1/mcp');
    const cliente = await conectar(api, { Authorization: headers.Authorization.replace('malha_…', chave) }, 'auto');
    t.true((await cliente.listTools()).tools.length > 10);
  },
  'docs/agentes.md ts': async (t, { texto }) => {
    await writeFile(path.join(pasta, 'agente.ts'), aqui(texto));
    const types = { types: ['node'], typeRoots: [path.join(PROJETO, 'node_modules', '@types')] };
    const rigor = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
    const compilerOptions = { target: 'ES2023', module: 'NodeNext', skipLibCheck: true, ...rigor, ...types };
    await writeFile(path.join(pasta, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await rodar(path.join(PROJETO, 'node_modules', '.bin', 'tsc'));
    t.like(JSON.parse(await rodar(process.execPath, 'agente.js')), { sucesso: true, dados: [{ cpf_cnpj: CPF }] });
  },
  'docs/agentes.md sh': async (t, { texto }) => {
    const { tools } = JSON.parse(await noTerminal(texto)) as { tools: { name: string }[] };
    t.true(tools.some(({ name }) => name === 'listar_clientes'));
  },
  'docs/ligacoes.md sh': async (t, { texto }) => {
    const { sucesso, dados } = JSON.parse(await noTerminal(texto));
    t.true(sucesso);
    t.is(dados.length, 1);
  },
  'docs/operations.md sh': async (t, { texto }) => {
    const { id, arquivos } = await pastaDe(api, provedor);
    await noTerminal(texto.replace('/extratos/31/', `/extratos/${id}/`));
    const { size } = await stat(path.join(pasta, 'faturas.parquet'));
    t.is(size, arquivos.find(({ nome }) => nome === 'faturas.parquet')?.bytes ?? 0);
  },
};

/** What the inspector does of the flags that the document gives it, by the protocol's own client: it is no package of this project. */
const INSPETOR = `
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const texto = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cli: { type: 'boolean' }, transport: texto, header: { ...texto, multiple: true }, method: texto },
});
const [pacote, url] = positionals;
if (pacote !== '@modelcontextprotocol/inspector' || !values.cli || values.transport !== 'http') throw new Error('outro');
const headers = Object.fromEntries(values.header.map((um) => um.split(': ')));
const cliente = new Client({ name: 'inspetor', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
await cliente.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
if (values.method !== 'tools/list') throw new Error('outro');
console.log(JSON.stringify(await cliente.listTools()));
await cliente.close();
`;

let api: Api;
let pasta: string;
let provedor: number;
let chave: string;
let exemplos: Map<string, Exemplo>;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
  provedor = await povoar(api, 5);
  await api.dono('provedores').where('id', provedor).update('nome', 'Serra Azul Telecom');
  const fabrica = criarFabrica(api.dono);
  const cliente_id = await fabrica.cliente(provedor, { cpf_cnpj: CPF });
  await fabrica.telefone(provedor, { cliente_id, numero: TELEFONE });
  const extrato = { tarefa: 'extratos.gerar', provedorId: provedor, dia: '2026-11-20' as Data } as const;
  await api.container.tarefas.executar(AUTOR, extrato, { signal: new AbortController().signal, aoAvancar: () => {} });
  ({ texto: chave } = await api.criarChave(provedor, { nome: 'Demonstração: completa' }));

  pasta = await mkdtemp(path.join(tmpdir(), 'malha-exemplos-'));
  await symlink(path.join(PROJETO, 'node_modules'), path.join(pasta, 'node_modules'));
  await mkdir(path.join(pasta, '.data'));
  await writeFile(path.join(pasta, 'package.json'), '{"type":"module","private":true}');
  await writeFile(
    path.join(pasta, '.data/demo.json'),
    JSON.stringify({ provedores: [{ chaves: { completa: chave } }] }),
  );
  await writeFile(path.join(pasta, 'inspetor.js'), INSPETOR);
  await writeFile(path.join(pasta, 'npx'), `#!/bin/sh\nexec '${process.execPath}' '${pasta}/inspetor.js' "$@"\n`);
  await chmod(path.join(pasta, 'npx'), 0o755);
  exemplos = await lerExemplos();
});
test.after.always(async () => {
  await desconectar();
  await api.fechar();
  await rm(pasta, { recursive: true, force: true });
});

async function lerExemplos(): Promise<Map<string, Exemplo>> {
  const documentos = (await readdir(path.join(PROJETO, 'docs'), { recursive: true }))
    .filter((nome) => nome.endsWith('.md') && nome !== 'primeiro-dia.md')
    .map((nome) => `docs/${nome}`);
  const achados = new Map<string, Exemplo>();
  for (const arquivo of ['README.md', ...documentos]) {
    const inteiro = await readFile(path.join(PROJETO, arquivo), 'utf8');
    const blocos = [...inteiro.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm)];
    for (const [n, [, linguagem = '', texto = '']] of blocos.entries()) {
      if (linguagem === 'mermaid' || !/\/v1\b|malha-client|modelcontextprotocol/.test(texto)) continue;
      const nome = `${arquivo} ${linguagem}`;
      achados.set(achados.has(nome) ? `${nome} ${n}` : nome, { texto, depois: blocos[n + 1]?.[2] ?? '' });
    }
  }
  return achados;
}

const aqui = (texto: string): string =>
  texto.replaceAll(/https:\/\/painel\.serra\.example|http:\/\/127\.0\.0\.1:3000/g, `http://127.0.0.1:${api.porta}`);

async function rodar(comando: string, ...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { PATH: `${pasta}:${PATH}`, HOME, CHAVE: chave, KEY: chave, MALHA_CHAVE: chave };
  return (await promisify(execFile)(comando, args, { cwd: pasta, env })).stdout;
}

const noTerminal = async (texto: string): Promise<string> => rodar('bash', '-euc', aqui(texto));

test('de todo exemplo se sabe como rodá-lo', (t) => {
  t.deepEqual([...exemplos.keys()].toSorted(), Object.keys(COMO).toSorted());
});

for (const [nome, como] of Object.entries(COMO)) {
  test(`${nome}: faz o que o documento diz`, async (t) => {
    const exemplo = exemplos.get(nome);
    if (exemplo === undefined) t.fail('o documento não o tem');
    else await como(t, exemplo);
  });
}
