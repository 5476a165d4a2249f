import { posix } from 'node:path';
import test from 'ava';
import { Visitor } from 'oxc-parser';
import { lerFonte, lerFontes, linhaDe, nomeFinal, textoFixo } from './support/fontes.ts';
import type { Fonte, Importacao } from './support/fontes.ts';

// The table of who may import whom, and rules over what single files do, held against the code. What an editor's linter
// can hold stands in .oxlintrc.json.

const MAXIMO_DE_LINHAS = 300;

/** Says what an import breaks, or null. */
type Regra = (de: string, alvo: string, importacao: Importacao) => string | null;

const PUROS = /^src\/brazil\//;
// Files directly in domain are what every subject shares; `*.regras.ts` are pure rules that another subject may apply.
// Likewise the readers of forms, the forms, and the one way to ask the network.
const DOMINIO_ABERTO =
  /^src\/domain\/(?:(?:[^/]+\/)+[^/]+\.(?:service|types|regras|campos)|campos\/[^/]+|rede\/pedir|[^/]+)\.ts$/;
const CONTRATO = /^workers\/threads\/[^/]+\/contract\.ts$/;
const so =
  (padrao: RegExp, regra: string): Regra =>
  (_de, alvo) =>
    padrao.test(alvo) ? null : regra;

// The first whose pattern a file matches holds for it. The reasons that the rules do not say of themselves:
// - Another subject of the domain offers its services, types and rules; its queries and routes of work are its own.
// - A thread is found by its name and shares nothing with another, but what those that draw on paper draw with. What goes to it and comes back is its contract, which the
//   domain may import.
// - src/cli is handed what it runs on by the program, so it needs no more of platform than types.
// - A migration stays what it was when it ran, so it imports nothing that may change.
// - bench may use what supports the tests, and nobody imports bench.
const REGRAS: readonly (readonly [de: RegExp, regra: Regra])[] = [
  [
    /^src\/surfaces\/([^/]+)\//,
    (de, alvo) =>
      alvo.startsWith(`${pasta(de, 3)}/`) || /^src\/(?:objects|kit|access|domain|brazil|platform)\//.test(alvo)
        ? null
        : 'uma superfície só importa a própria pasta, objects, kit, access, domain, brazil e platform',
  ],
  [
    /^src\/objects\//,
    so(/^src\/(?:objects|kit|domain|brazil|platform)\//, 'objects só importa objects, kit, domain, brazil e platform'),
  ],
  [/^src\/kit\//, so(/^src\/(?:kit|brazil|platform)\//, 'kit só importa kit, brazil e platform')],
  [/^src\/access\//, so(/^src\/(?:access|kit|domain|platform)\//, 'access só importa access, kit, domain e platform')],
  [
    /^src\/domain\//,
    (de, alvo) =>
      (de.split('/').length > 3 && alvo.startsWith(`${pasta(de, 3)}/`)) ||
      DOMINIO_ABERTO.test(alvo) ||
      CONTRATO.test(alvo) ||
      /^src\/(?:brazil|platform)\//.test(alvo)
        ? null
        : 'domain só importa a própria pasta, o comum, *.service.ts, *.types.ts e *.regras.ts de outros assuntos, brazil, platform e contratos de threads',
  ],
  [PUROS, so(PUROS, 'brazil só importa brazil')],
  [/^src\/platform\//, so(/^src\/platform\//, 'platform só importa platform')],
  [/^src\/local\//, so(/^src\/local\//, 'local só importa local')],
  [
    /^src\/cli\//,
    (_de, alvo, { forma }) =>
      /^src\/(?:cli|access|domain|brazil)\//.test(alvo) || (forma === 'tipo' && alvo.startsWith('src/platform/'))
        ? null
        : 'src/cli só importa a própria pasta, access, domain e brazil, e de platform os tipos',
  ],
  [/^src\/cli\.ts$/, so(/^src\/app\/program\.ts$/, 'src/cli.ts só importa o programa')],
  [
    /^src\/app\//,
    so(
      /^(?:src\/(?:app|surfaces|kit|access|domain|brazil|platform|local|cli)|workers\/jobs|seeds)\//,
      'app importa o que está em src, os jobs e seeds',
    ),
  ],
  [
    /^workers\/jobs\//,
    so(
      /^(?:workers\/jobs|src\/(?:access|domain|platform))\//,
      'workers/jobs só importa jobs, access, domain e platform',
    ),
  ],
  [
    /^workers\/threads\//,
    (de, alvo) =>
      PUROS.test(alvo) ||
      alvo.startsWith('workers/threads/paper/') ||
      alvo.startsWith(`${pasta(de.replace(/\.ts$/, ''), 3)}/`)
        ? null
        : 'workers/threads só importa brazil, a pasta com o nome da própria thread e paper, com que desenham',
  ],
  [
    /^seeds\//,
    (_de, alvo, { forma }) =>
      /^(?:seeds|src\/(?:access|domain|brazil|platform))\//.test(alvo) ||
      (forma === 'tipo' && alvo.startsWith('workers/threads/'))
        ? null
        : 'seeds só importa seeds, access, domain, brazil e platform, e os tipos de workers/threads',
  ],
  [/^migrations\//, () => 'migrations não importa nada do projeto'],
  [/^knexfile\.ts$/, so(/^src\/platform\//, 'knexfile só importa platform')],
  [/^bench\//, so(/^(?:bench|src|workers|seeds|test\/support)\//, 'bench não importa testes')],
];

const PACOTES: readonly (readonly [de: RegExp, proibidos: RegExp, regra: string])[] = [
  [/^src\/domain\//, /^(?:koa|koa-.*|@koa\/.*|ajv|ajv-.*|(?:node:)?https?2?)$/, 'domain não conhece Koa, ajv nem HTTP'],
  [/^src\/brazil\//, /^(?:node:(?!module$)|(?:fs|net|http|knex|mysql2|ioredis)(?:\/|$))/, 'brazil é puro, sem E/S'],
  [/^(?:src|workers)\//, /^(?:node:)?process$/, 'só platform/config lê o ambiente'],
];

// Only app/compose builds services; the seeds and the benchmarks build their own.
const CONSTROI = /^(?:src\/app\/compose|seeds|bench)\//;
const FABRICA = /^create(?:[A-Z]\w*Service|Door|PublicApi|Paginas|Psp|Gate)$/;

// Tests run the program many times in one process, so it may not use that process's own input, output or exit code.
const DENTRO_DE_QUALQUER_PROCESSO = /^src\/(?:app\/program\.ts$|cli\/)/;

// How these files may use process.env: they hand the whole of it on.
const ENTREGA_O_AMBIENTE = new Map([
  ['src/cli.ts', 'env: process.env,'],
  ['knexfile.ts', 'loadConfig(process.env)'],
]);
// These use it in any way, but read no setting: they find programs on the PATH and give child processes their environment.
const AMBIENTE_DE_PROCESSOS = [
  'src/local/binaries/debian-packages.ts',
  'src/local/binaries/find-binary.ts',
  'src/local/processes/process-identity.ts',
  'src/local/processes/run-command.ts',
  'src/local/processes/supervised-process.ts',
];

// The files that may query tenants' tables without a tenant, each group with its reason.
const ENTRE_INQUILINOS = [
  // They put the tenant into the statements of all others.
  'src/platform/mysql/tenant.ts',
  'src/platform/mysql/update-each.ts',
  // FreeRADIUS's sessions do not say whose they are: this finds out by the address of the NAS.
  'src/domain/conexoes/agregacao.queries.ts',
  'src/domain/conexoes/horas/horas.queries.ts',
  // They find the tenant: by a key, by the secret in the address of an invite, of an invoice or of a PSP.
  'src/domain/chaves/chaves.queries.ts',
  'src/domain/usuarios/sessoes/sessoes.queries.ts',
  'src/domain/acessos/sessoes/busca.queries.ts',
  'src/domain/convites/token.queries.ts',
  'src/domain/cobrancas/token.queries.ts',
  'src/domain/receptores/receptores.queries.ts',
  // They find the tenants that a job has work for, or the other tenants that have the same login in FreeRADIUS.
  'src/domain/contratos/encerramento/cancelados.queries.ts',
  'src/domain/desbloqueios/vencidos.queries.ts',
  'src/domain/faturamento/pedidos/parados.queries.ts',
  // A condition of theirs, and of a tenant's own orders: whose row it looks at is that row's.
  'src/domain/faturamento/pedidos/devidos.queries.ts',
  'src/domain/planos/alterados.queries.ts',
  'src/domain/push/lembretes/provedores.queries.ts',
  'src/domain/rede/acesso/donos.queries.ts',
  'src/domain/rede/deteccao/provedores.queries.ts',
  'src/domain/rede/fila.queries.ts',
  'src/domain/recebimentos/identificacao/pendentes.queries.ts',
  // It finds the persons of whom a job has more to erase.
  'src/domain/privacidade/apagamento/vencidos.queries.ts',
  // It tells the operator of queues of all tenants that stand.
  'src/domain/tarefas/esperas.queries.ts',
  // They publish the outbox of every tenant, and give it to its consumers.
  'src/domain/eventos/publicacao.service.ts',
  'src/platform/mysql/outbox-consumer.ts',
  // It adds up how much keys of every tenant were used, in one statement.
  'src/domain/chaves/uso/uso.queries.ts',
  // It deletes what is old, of every tenant.
  'src/domain/retencao/retencao.queries.ts',
  // They take all rows of a provider to another cell, by the schema's owner.
  'src/domain/celulas/acessos.ts',
  'src/domain/celulas/alheios.ts',
  'src/domain/celulas/fatias.ts',
  'src/domain/celulas/grupos.ts',
  'src/domain/celulas/logins.ts',
  'src/domain/celulas/pendencias.ts',
  'src/domain/celulas/situacao.ts',
  // It writes in bulk, for the one tenant that it was made for.
  'seeds/gravador.ts',
];
const FILTRO = /^(?:or|and)?(?:where|having)\w*$/i;
const FILTRO_EM_SQL = /\bWHERE\b[^]*provedor_id\s*(?:=|IN\b)/i;

function pasta(arquivo: string, partes: number): string {
  return arquivo.split('/').slice(0, partes).join('/');
}

/** Where a file breaks a rule, and which. */
interface Quebra {
  readonly linha: number;
  readonly regra: string;
}

/** What the sources break, as `file:line rule`. */
function violacoes(fontes: Iterable<Fonte>): string[] {
  return [...fontes].flatMap((fonte) =>
    [...importacoesQuebram(fonte), ...arquivoQuebra(fonte), ...codigoQuebra(fonte), ...inquilinoQuebra(fonte)].map(
      ({ linha, regra }) => `${fonte.nome}:${linha} ${regra}`,
    ),
  );
}

function importacoesQuebram({ nome, importacoes }: Fonte): Quebra[] {
  return importacoes.flatMap((importacao) => {
    const quebrada = importacaoQuebra(nome, importacao);
    return quebrada === null ? [] : [{ linha: importacao.linha, regra: `importa ${importacao.alvo}: ${quebrada}` }];
  });
}

function importacaoQuebra(de: string, importacao: Importacao): string | null {
  if (!importacao.alvo.startsWith('.')) {
    const regra = PACOTES.find(([quem, proibidos]) => quem.test(de) && proibidos.test(importacao.alvo));
    return regra?.[2] ?? null;
  }
  const alvo = posix.join(posix.dirname(de), importacao.alvo);
  const regra = REGRAS.find(([quem]) => quem.test(de));
  return regra === undefined ? 'esta pasta não tem regra na tabela' : regra[1](de, alvo, importacao);
}

/** What a file breaks as a whole. */
function arquivoQuebra({ nome, texto, programa: { body } }: Fonte): Quebra[] {
  const quebras: Quebra[] = [];
  const reexporta = body.filter(
    (no) => no.type === 'ExportAllDeclaration' || (no.type === 'ExportNamedDeclaration' && no.declaration === null),
  ).length;
  const importa = body.filter(({ type }) => type === 'ImportDeclaration').length;
  if (reexporta > 0 && reexporta + importa === body.length) {
    quebras.push({ linha: 1, regra: 'só reexporta: não há arquivos-barril' });
  }
  const linhas = texto.trimEnd().split('\n').length;
  if (/^(?:src|workers)\//.test(nome) && linhas > MAXIMO_DE_LINHAS) {
    const regra = `tem ${linhas} linhas: passando de ${MAXIMO_DE_LINHAS} são dois assuntos`;
    quebras.push({ linha: linhas, regra });
  }
  return quebras;
}

/** What a file's code builds, exports or reads that is another's to build, export or read. */
function codigoQuebra({ nome, texto, programa }: Fonte): Quebra[] {
  const quebras: Quebra[] = [];
  const quebra = (inicio: number, regra: string): void => {
    quebras.push({ linha: linhaDe(texto, inicio), regra });
  };
  const entrega = ENTREGA_O_AMBIENTE.get(nome);
  new Visitor({
    CallExpression({ callee }) {
      const chamada = nomeFinal(callee);
      if (FABRICA.test(chamada) && !CONSTROI.test(nome)) {
        quebra(callee.start, `chama ${chamada}: só app/compose constrói`);
      }
    },
    ExportDefaultDeclaration({ start }) {
      if (/^(?:knexfile\.ts|workers\/threads\/)/.test(nome)) return;
      quebra(start, 'exporta por default: só knexfile.ts e workers/threads');
    },
    MemberExpression(no) {
      if (nomeFinal(no.object) !== 'process') return;
      if (nomeFinal(no) !== 'env') {
        if (DENTRO_DE_QUALQUER_PROCESSO.test(nome)) {
          quebra(no.start, 'toca no processo: o que o programa usa dele é cli.ts que dá');
        }
        return;
      }
      if (AMBIENTE_DE_PROCESSOS.includes(nome) || nome.startsWith('bench/')) return;
      if (entrega !== undefined && texto.startsWith(entrega, no.start - entrega.indexOf('process'))) return;
      quebra(no.start, 'lê process.env: só platform/config lê o ambiente');
    },
  }).visit(programa);
  return quebras;
}

/** What a file asks of tenants' tables by other ways than that of one tenant. */
function inquilinoQuebra({ nome, texto, programa }: Fonte): Quebra[] {
  if (ENTRE_INQUILINOS.includes(nome) || /^(?:migrations|bench)\//.test(nome)) return [];
  const quebras: Quebra[] = [];
  const quebra = (inicio: number, oque: string): void => {
    const regra = `${oque}: consultas de um inquilino partem de createTenantDb`;
    quebras.push({ linha: linhaDe(texto, inicio), regra });
  };
  // A call that stands in another's arguments is judged by itself: each has its place here while its own are gone through.
  const chamadas: { dizProvedor: boolean }[] = [];
  const dito = (oque: string): void => {
    const chamada = chamadas.at(-1);
    if (chamada !== undefined && oque.includes('provedor_id')) chamada.dizProvedor = true;
  };
  const escrito = (inicio: number, oque: string): void => {
    dito(oque);
    if (FILTRO_EM_SQL.test(oque)) quebra(inicio, 'filtra provedor_id à mão');
  };
  new Visitor({
    CallExpression({ callee, arguments: [primeiro] }) {
      chamadas.push({ dizProvedor: false });
      if (callee.type !== 'Identifier' || !/^(?:db|trx|knex)$/.test(callee.name)) return;
      const escolhida = primeiro === undefined || primeiro.type === 'SpreadElement' ? null : textoFixo(primeiro);
      const [tabela = ''] = (escolhida ?? '').split(' ');
      if (TABELAS_DE_INQUILINO.has(tabela)) quebra(callee.start, `usa a tabela ${tabela} sem inquilino`);
    },
    'CallExpression:exit'({ callee }) {
      if (chamadas.pop()?.dizProvedor !== true || callee.type !== 'MemberExpression') return;
      if (FILTRO.test(nomeFinal(callee))) quebra(callee.property.start, 'filtra provedor_id à mão');
    },
    Identifier: ({ name }) => dito(name),
    Literal({ start, value }) {
      if (typeof value === 'string') escrito(start, value);
    },
    TemplateLiteral: ({ start, quasis }) => escrito(start, quasis.map(({ value }) => value.raw).join('${}')),
  }).visit(programa);
  return quebras;
}

const FONTES = lerFontes(['src', 'workers', 'seeds', 'migrations', 'bench', 'knexfile.ts']);

const TABELAS_DE_INQUILINO = new Set(
  [...FONTES.values()].flatMap(({ nome, texto }) =>
    nome.startsWith('migrations/')
      ? [...texto.matchAll(/CREATE TABLE IF NOT EXISTS (\w+) \(\s+provedor_id/g)].map(([, tabela]) => tabela!)
      : [],
  ),
);

test('cada arquivo só importa o que a tabela da arquitetura permite, e segue as regras da casa', (t) => {
  t.true(FONTES.has('src/app/roles.ts') && FONTES.has('workers/jobs/catalogue.ts') && FONTES.has('seeds/preparar.ts'));
  t.true(TABELAS_DE_INQUILINO.has('clientes') && TABELAS_DE_INQUILINO.size >= 15);
  t.deepEqual(violacoes(FONTES.values()), []);
});

test('toda importação relativa do código leva a um arquivo que existe', (t) => {
  let vistas = 0;
  for (const { nome, importacoes } of FONTES.values()) {
    for (const { alvo } of importacoes.filter((importacao) => importacao.alvo.startsWith('.'))) {
      const arquivo = posix.join(posix.dirname(nome), alvo);
      if (arquivo.startsWith('test/')) continue;
      t.true(FONTES.has(arquivo), `${nome} importa ${alvo}`);
      vistas += 1;
    }
  }
  t.true(vistas > 300);
});

test('as exceções nomeadas existem e ainda são precisas', (t) => {
  for (const de of [...AMBIENTE_DE_PROCESSOS, ...ENTRE_INQUILINOS]) t.true(FONTES.has(de), de);
  for (const de of AMBIENTE_DE_PROCESSOS) t.regex(FONTES.get(de)!.texto, /process\.env/, de);
  for (const de of ENTRE_INQUILINOS) t.regex(FONTES.get(de)!.texto, /provedor_id/, de);
});

const QUEBRAM: readonly (readonly [de: string, fonte: string, regra: RegExp])[] = [
  ['src/surfaces/pages/a.ts', `import '../public-api/rota.ts';`, /uma superfície/],
  ['src/surfaces/pages/a.ts', `import '../../app/compose/container.ts';`, /uma superfície/],
  ['src/objects/a.ts', `import '../surfaces/public-api/rota.ts';`, /objects só importa/],
  ['src/kit/a.ts', `import '../domain/erros.ts';`, /kit só importa/],
  ['src/kit/http/a.ts', `import type { A } from '../../access/a.ts';`, /kit só importa/],
  ['src/access/a.ts', `import '../brazil/pix/pix.ts';`, /access só importa/],
  ['src/access/a.ts', `import '../surfaces/psp/psp.ts';`, /access só importa/],
  ['src/domain/a/a.service.ts', `import '../../../workers/threads/a.ts';`, /domain só importa/],
  ['src/domain/a/a.service.ts', `import type { A } from '../../app/roles.ts';`, /domain só importa/],
  ['src/local/a.ts', `import '../platform/config.ts';`, /local só importa/],
  ['src/surfaces/pages/a.ts', `import type { A } from '../../../workers/jobs/catalogue.ts';`, /uma superfície/],
  ['src/domain/a/a.service.ts', `import '../b/b.queries.ts';`, /domain só importa/],
  ['src/domain/a/a.service.ts', `import type { B } from '../b/b.ts';`, /domain só importa/],
  ['src/domain/a/a.service.ts', `import '../b/regras.ts';`, /domain só importa/],
  ['src/domain/a/a.service.ts', `export { b } from '../../surfaces/public-api/erros.ts';\nb();`, /domain só importa/],
  ['src/domain/tudo.ts', `import './a/a.queries.ts';`, /domain só importa/],
  ['src/domain/a/a.service.ts', `import Koa from 'koa';`, /não conhece Koa/],
  ['src/domain/a/a.service.ts', `import { Router } from '@koa/router';`, /não conhece Koa/],
  ['src/domain/a/a.service.ts', `import { Ajv2020 } from 'ajv';`, /não conhece Koa, ajv/],
  ['src/domain/a/a.service.ts', `import type { Server } from 'node:http';`, /não conhece Koa, ajv nem HTTP/],
  ['src/brazil/a.ts', `import '../platform/json.ts';`, /brazil só importa/],
  ['src/brazil/a.ts', `import { readFile } from 'node:fs/promises';`, /brazil é puro/],
  ['src/platform/a.ts', `const a = await import('../brazil/pix.ts');`, /platform só importa/],
  ['src/platform/a/b.ts', `import type { A } from '../../domain/a/a.types.ts';`, /platform só importa/],
  ['src/cli.ts', `import type { A } from '../workers/jobs/catalogue.ts';`, /só importa o programa/],
  ['src/cli.ts', `import './app/roles.ts';`, /só importa o programa/],
  ['src/cli/a.ts', `import type { Container } from '../app/compose/container.ts';`, /src\/cli só importa/],
  ['src/cli/a.ts', `import { createDatabase } from '../platform/database.ts';`, /src\/cli só importa/],
  ['src/cli/a.ts', `import type { A } from '../../workers/jobs/catalogue.ts';`, /src\/cli só importa/],
  ['src/cli/a.ts', `loadConfig(process.env);`, /lê process\.env/],
  ['src/cli/a.ts', `process.stdin.resume();`, /toca no processo/],
  ['src/app/program.ts', `process.exitCode = 1;`, /toca no processo/],
  ['src/app/program.ts', `loadConfig(process.env);`, /lê process\.env/],
  ['src/cli.ts', `loadConfig(process.env);`, /lê process\.env/],
  ['src/app/roles.ts', `import { a } from '../../workers/threads/a.ts';`, /app importa/],
  ['src/app/roles.ts', `const a = await import('../../bench/main.ts');`, /app importa/],
  ['src/app/roles.ts', `import '../../test/support/api.ts';`, /app importa/],
  ['workers/jobs/a.job.ts', `import '../../src/brazil/pix.ts';`, /workers\/jobs só importa/],
  ['workers/jobs/a.job.ts', `import '../../src/app/compose/container.ts';`, /workers\/jobs só importa/],
  ['workers/threads/a.ts', `import '../../src/platform/json.ts';`, /workers\/threads só importa/],
  ['workers/threads/a.ts', `import './b.ts';`, /workers\/threads só importa/],
  ['workers/threads/a.ts', `import './b/c.ts';`, /workers\/threads só importa/],
  ['workers/threads/a.ts', `import './a-b/c.ts';`, /workers\/threads só importa/],
  ['workers/threads/a/b.ts', `import '../a.ts';`, /workers\/threads só importa/],
  ['workers/threads/a/b.ts', `import type { C } from '../c/d.ts';`, /workers\/threads só importa/],
  ['workers/threads/a/b.ts', `import '../../../src/platform/json.ts';`, /workers\/threads só importa/],
  ['src/app/compose/worker.ts', `import '../../../workers/threads/a.ts';`, /app importa/],
  ['seeds/a.ts', `import { a } from '../workers/threads/a.ts';`, /seeds só importa/],
  ['seeds/a.ts', `import '../src/surfaces/public-api/erros.ts';`, /seeds só importa/],
  ['migrations/1_a.ts', `import '../src/platform/database.ts';`, /migrations não importa/],
  ['knexfile.ts', `import './src/app/compose/container.ts';`, /knexfile só importa/],
  ['bench/a.ts', `import '../test/cli.test.ts';`, /bench não importa test/],
  ['nova/a.ts', `import '../src/cli.ts';`, /não tem regra/],
  ['src/domain/a/a.ts', `const a = createClientesService({ tenant });`, /só app\/compose constrói/],
  ['src/app/roles.ts', `createDoor({});`, /só app\/compose constrói/],
  ['src/app/roles.ts', `portas.createDoor<Chave>({});`, /só app\/compose constrói/],
  ['src/cli.ts', `createGate({});`, /só app\/compose constrói/],
  ['workers/jobs/a.job.ts', `createPublicApi({});`, /só app\/compose constrói/],
  ['src/domain/a/a.ts', `const { TZ } = process.env;`, /lê process\.env/],
  ['src/app/roles.ts', `if (process.env['PORT'] === '1') loadConfig({});`, /lê process\.env/],
  ['src/platform/config.ts', `loadConfig(process.env);`, /lê process\.env/],
  ['src/domain/a/a.ts', `const fuso = process?.['env'].TZ;`, /lê process\.env/],
  ['src/cli.ts', `await runProgram([], { env: process.env.TZ, saida });`, /lê process\.env/],
  ['src/domain/a/a.ts', `import { env } from 'node:process';`, /lê o ambiente/],
  ['src/domain/a/index.ts', `export * from './a.ts';\nexport type { B } from './b.ts';`, /barril/],
  ['src/domain/a/a.ts', `import { b } from './b.ts';\nexport { b };`, /barril/],
  ['src/domain/a/a.ts', `export default 1;`, /por default/],
  ['workers/jobs/a.job.ts', 'a\n'.repeat(301), /301 linhas/],
  ['src/domain/a/a.queries.ts', `db('x').where('provedor_id', 1);`, /à mão/],
  ['src/domain/a/a.queries.ts', `q.andWhere({ provedor_id: 1 });`, /à mão/],
  ['src/domain/a/a.queries.ts', 'q.whereRaw(`${a}.provedor_id = ?`, [f(1)]);', /à mão/],
  ['src/domain/a/a.queries.ts', 'trx.raw(`SELECT 1 FROM x\n WHERE x.provedor_id = ?`);', /à mão/],
  ['src/domain/a/a.queries.ts', `db('clientes').select('id');`, /sem inquilino/],
  ['src/domain/a/a.queries.ts', `trx<Cliente>(\`clientes\`).select('id');`, /sem inquilino/],
  ['src/app/compose/worker.ts', `db('faturas as f').select('id');`, /sem inquilino/],
];

test('uma quebra diz a linha em que está, ainda que a instrução comece antes', (t) => {
  const fonte = lerFonte('src/domain/a/a.queries.ts', `q\n  .select('a')\n  .where({\n    provedor_id: 1,\n  });`);
  t.regex(violacoes([fonte]).join('\n'), /^src\/domain\/a\/a\.queries\.ts:3 filtra provedor_id à mão/);
});

for (const [de, fonte, regra] of QUEBRAM) {
  test(`é recusado: ${de}, ${fonte.slice(0, 70).replaceAll('\n', ' ')}`, (t) => {
    const achadas = violacoes([lerFonte(de, fonte)]);
    t.is(achadas.length, 1, achadas.join('\n'));
    t.regex(achadas[0]!, regra);
    t.true(achadas[0]!.startsWith(`${de}:`));
  });
}

test('o que a tabela permite não é recusado', (t) => {
  const permitido = [
    [
      'src/surfaces/public-api/a/a.ts',
      `import '../rota.ts'; import '../../../domain/a/a.ts'; import '../../../kit/http/a.ts'; import '../../../access/a.ts';\nexport const a = 1;`,
    ],
    [
      'src/domain/a/a.service.ts',
      `import './x.ts'; import '../erros.ts'; import '../b/b.regras.ts'; import '../b/b.types.ts'; import '../b/b.service.ts'; import '../c/d/d.types.ts'; import '../../../workers/threads/c/contract.ts'; f();`,
    ],
    ['src/domain/a/a.ts', `export function createClientesService() { return tenant.from('clientes').where('id', 1); }`],
    [
      'src/app/roles.ts',
      `import '../cli/a.ts'; import '../../workers/jobs/a.job.ts'; await import('../../seeds/preparar.ts');`,
    ],
    ['src/kit/a.ts', `import './http/b.ts'; import '../brazil/pix/pix.ts'; import '../platform/json.ts'; f();`],
    [
      'src/access/a.ts',
      `import '../kit/http/a.ts'; import '../domain/atores.ts'; import '../platform/gate/gate.ts'; f();`,
    ],
    ['knexfile.ts', `export default { connection: loadConfig(process.env) };`],
    ['src/cli.ts', `process.exitCode = await runProgram([], { env: process.env, saida: process.stdout });`],
    [
      'src/cli/a.ts',
      `import './b.ts'; import '../domain/a/a.types.ts'; import '../access/a.ts'; import type { B } from '../platform/config.ts'; f();`,
    ],
    ['src/app/compose/container.ts', `import '../../brazil/pix/pix.ts'; createGate({}); createFaturasService({});`],
    ['workers/threads/a.ts', `import '../../src/brazil/pix.ts'; import './a/b.ts'; export default function a() {}`],
    ['workers/threads/a/b.ts', `import './c.ts'; import '../../../src/brazil/pix.ts';`],
    ['workers/jobs/a.job.ts', 'a\n'.repeat(300)],
    ['seeds/a.ts', `import type { A } from '../workers/threads/a.ts'; createClientesService({});`],
    ['src/platform/mysql/tenant.ts', 'db(table).where(`${alias}.provedor_id`, 1);'],
    [
      'src/domain/b/b.ts',
      `// process.env, export default\nq.whereExists(z.join('x', { 'x.provedor_id': 'y.provedor_id' }));`,
    ],
  ].map(([de = '', fonte = '']) => lerFonte(de, fonte));
  t.deepEqual(violacoes(permitido), []);
});
