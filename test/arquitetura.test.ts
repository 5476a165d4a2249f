import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { normalizarCpfCnpj } from '../src/brazil/pessoa/cpf-cnpj.ts';
import { lerData } from '../src/brazil/calendario/datas.ts';
import { normalizarTelefone } from '../src/brazil/pessoa/telefone.ts';
import type { ObjectSchema, Schema } from '../src/platform/schema-type.ts';
import { ROTAS } from '../src/surfaces/public-api/rotas.ts';

// The table of who may import whom, held against the code. What it leaves open has these rules: a subject of the domain
// offers others its services, types and rules, and files directly in domain are common; a thread → brazil and the folder
// of its own name, for it is found by name and shares nothing with others, and what goes to it and comes back stands in
// its contract, which the domain may import; seeds and src/cli may also import their own folders, seeds of
// workers/threads the types, and src/cli of platform the types only, because the program hands it what it runs on;
// src/cli.ts → the program; app → all that is built or loaded, threads by name; local → nothing of ours but itself;
// migrations → nothing of ours, because a migration must stay what it was when it ran; knexfile → platform; bench →
// anything but tests (their support it may), and nobody imports it.

const RAIZ = fileURLToPath(new URL('../../', import.meta.url));
const MAXIMO_DE_LINHAS = 300;

interface Lexema {
  /** A word, a text ('…' or "…"), a template (whose expressions follow it), or any other character. */
  readonly tipo: 'palavra' | 'texto' | 'modelo' | 'sinal';
  readonly valor: string;
  readonly linha: number;
}

const NAO_DIZ_NADA = /\s+|\/\/.*|\/\*[^]*?\*\//y;
const TEXTO = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/y;
const PALAVRA = /[\p{L}_$\d]+/uy;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
const ANTES_DE_REGEX = /^(?:return|typeof|case|in|of|void|delete|throw|new|else|do|await|yield)$/;

/** The words, texts and signs of a TypeScript source; comments and regular expressions are left out. */
function lexemas(fonte: string): Lexema[] {
  const achados: Lexema[] = [];
  let i = 0;
  let linha = 1;

  function andar(caracteres: number): string {
    const trecho = fonte.slice(i, i + caracteres);
    linha += trecho.split('\n').length - 1;
    i += caracteres;
    return trecho;
  }
  function casar(padrao: RegExp): string | null {
    padrao.lastIndex = i;
    const [trecho] = padrao.exec(fonte) ?? [null];
    return trecho === null ? null : andar(trecho.length);
  }
  function regexPodeComecar(): boolean {
    const anterior = achados.at(-1);
    if (anterior?.tipo === 'palavra') return ANTES_DE_REGEX.test(anterior.valor);
    return anterior === undefined || (anterior.tipo === 'sinal' && !/[)\]}]/.test(anterior.valor));
  }
  function lerModelo(): void {
    const lexema = { tipo: 'modelo' as const, valor: '', linha };
    achados.push(lexema);
    andar(1);
    while (i < fonte.length && fonte[i] !== '`') {
      if (fonte.startsWith('${', i)) {
        lexema.valor += andar(2);
        ler(true);
        lexema.valor += '}';
      } else lexema.valor += andar(fonte[i] === '\\' ? 2 : 1);
    }
    andar(1);
  }
  /** Reads to the end, or up to the bracket that closes a template's expression. */
  function ler(dentroDeModelo: boolean): void {
    let abertas = 0;
    while (i < fonte.length) {
      if (casar(NAO_DIZ_NADA) !== null) continue;
      if (fonte[i] === '`') {
        lerModelo();
        continue;
      }
      if (fonte[i] === '/' && regexPodeComecar() && casar(REGEX) !== null) continue;
      const inicio = linha;
      const texto = casar(TEXTO);
      const palavra = texto === null ? casar(PALAVRA) : null;
      if (texto !== null) achados.push({ tipo: 'texto', valor: texto.slice(1, -1), linha: inicio });
      else if (palavra !== null) achados.push({ tipo: 'palavra', valor: palavra, linha: inicio });
      else {
        const sinal = andar(1);
        if (sinal === '{') abertas += 1;
        if (sinal === '}' && (abertas -= 1) < 0 && dentroDeModelo) return;
        achados.push({ tipo: 'sinal', valor: sinal, linha: inicio });
      }
    }
  }
  ler(false);
  return achados;
}

interface Importacao {
  readonly linha: number;
  readonly alvo: string;
  readonly forma: 'estatica' | 'tipo' | 'dinamica' | 'reexporta';
}

/** Every import of a source, and what is left of it without its imports and re-exports. */
function importacoes(codigo: readonly Lexema[]): { lista: Importacao[]; resto: Lexema[]; reexporta: boolean } {
  const lista: Importacao[] = [];
  const resto: Lexema[] = [];
  let reexporta = false;
  const valor = (n: number): string | undefined => (codigo[n]?.tipo === 'texto' ? undefined : codigo[n]?.valor);

  for (let n = 0; n < codigo.length; n += 1) {
    const { linha } = codigo[n]!;
    const palavra = valor(n - 1) === '.' ? undefined : valor(n);
    const comTipo = valor(n + 1) === 'type' && valor(n + 2) !== 'from' ? 1 : 0;
    if (palavra === 'import' && valor(n + 1) === '(') {
      const alvo = codigo[n + 2];
      // Anything but a literal, `new URL(…)` above all, is loading and not importing.
      if (alvo !== undefined && (alvo.tipo === 'texto' || (alvo.tipo === 'modelo' && !alvo.valor.includes('${')))) {
        lista.push({ linha, alvo: alvo.valor, forma: 'dinamica' });
      }
    } else if (palavra === 'import' && codigo[n + 1]?.tipo === 'texto') {
      lista.push({ linha, alvo: codigo[n + 1]!.valor, forma: 'estatica' });
      n += 1;
      continue;
    } else if (
      (palavra === 'import' && valor(n + 1) !== '.') ||
      (palavra === 'export' && /^[{*]$/.test(valor(n + 1 + comTipo) ?? ''))
    ) {
      let fim = n + 1 + comTipo;
      if (valor(fim) === '{') while (valor(fim) !== '}' && fim < codigo.length) fim += 1;
      const local = palavra === 'export' && valor(fim) === '}' && valor(fim + 1) !== 'from';
      if (!local) while (codigo[fim]?.tipo !== 'texto' && fim < codigo.length) fim += 1;
      const alvo = codigo[fim];
      reexporta ||= palavra === 'export';
      const forma = palavra === 'export' ? 'reexporta' : comTipo === 1 ? 'tipo' : 'estatica';
      if (!local && alvo !== undefined) lista.push({ linha, alvo: alvo.valor, forma });
      n = fim;
      continue;
    }
    resto.push(codigo[n]!);
  }
  return { lista, reexporta, resto: resto.filter(({ valor: sinal }) => sinal !== ';') };
}

// Who may import whom. Each rule says what an import breaks, or null.
type Regra = (de: string, alvo: string, importacao: Importacao) => string | null;

const PUROS = /^src\/brazil\//;
// Files directly in domain are what every subject shares; `*.regras.ts` are pure rules that another subject may apply.
const DOMINIO_ABERTO = /^src\/domain\/(?:(?:[^/]+\/)+[^/]+\.(?:service|types|regras)|[^/]+)\.ts$/;
const CONTRATO = /^workers\/threads\/[^/]+\/contract\.ts$/;
const so =
  (padrao: RegExp, regra: string): Regra =>
  (_de, alvo) =>
    padrao.test(alvo) ? null : regra;

const REGRAS: readonly (readonly [de: RegExp, regra: Regra])[] = [
  [
    /^src\/surfaces\/([^/]+)\//,
    (de, alvo) =>
      alvo.startsWith(`${pasta(de, 3)}/`) || /^src\/(?:kit|access|domain|brazil|platform)\//.test(alvo)
        ? null
        : 'uma superfície só importa a própria pasta, kit, access, domain, brazil e platform',
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
      PUROS.test(alvo) || alvo.startsWith(`${pasta(de.replace(/\.ts$/, ''), 3)}/`)
        ? null
        : 'workers/threads só importa brazil e a pasta com o nome da própria thread',
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

// Who builds: app/compose for the service; the seeds are a composition root of their own.
const CONSTROI = /^(?:src\/app\/compose|seeds|bench)\//;
const FABRICA = /^create(?:[A-Z]\w*Service|Door|PublicApi|Paginas|Psp|Gate)$/;

// The program runs in any process, several times at once.
const DENTRO_DE_QUALQUER_PROCESSO = /^src\/(?:app\/program\.ts$|cli\/)/;

// Who may look at process.env: these hand all of it on, to loadConfig or to the program as its `env` …
const ENTREGA_O_AMBIENTE = new Map([
  ['src/cli.ts', 'env:'],
  ['knexfile.ts', 'loadConfig('],
]);
// … and these read no setting: they find programs on the PATH and hand the environment on to child processes.
const AMBIENTE_DE_PROCESSOS = [
  'src/local/binaries/debian-packages.ts',
  'src/local/binaries/find-binary.ts',
  'src/local/processes/process-identity.ts',
  'src/local/processes/run-command.ts',
  'src/local/processes/supervised-process.ts',
];

// The named places that reach tenants' tables without a tenant: a key leads to its tenant, FreeRADIUS's sessions have none.
const ENTRE_INQUILINOS = [
  'src/platform/mysql/tenant.ts',
  'src/platform/mysql/update-each.ts',
  'src/domain/chaves/chaves.queries.ts',
  'src/domain/conexoes/agregacao.queries.ts',
  // So do the secrets of an invite's, of an invoice's and of a PSP's address.
  'src/domain/convites/token.queries.ts',
  'src/domain/cobrancas/token.queries.ts',
  'src/domain/receptores/receptores.queries.ts',
  // Which tenants a job has work for; and whose else a login is, which FreeRADIUS knows by its name only.
  'src/domain/desbloqueios/vencidos.queries.ts',
  'src/domain/rede/fila.queries.ts',
  'src/domain/recebimentos/identificacao/pendentes.queries.ts',
  // Publishes the outbox of every tenant, and gives it to whoever else wants it.
  'src/domain/eventos/publicacao.service.ts',
  'src/platform/mysql/outbox-consumer.ts',
  // Deletes what is old, whosever it is.
  'src/domain/retencao/retencao.queries.ts',
  // Writes in bulk for the tenant it was made for.
  'seeds/gravador.ts',
];
const FILTRO = /^(?:or|and)?(?:where|having)\w*$/i;

function pasta(arquivo: string, partes: number): string {
  return arquivo.split('/').slice(0, partes).join('/');
}

/** What the sources break, as `file:line what: rule`. */
function violacoes(arquivos: ReadonlyMap<string, string>): string[] {
  return [...arquivos].flatMap(([de, fonte]) => {
    const codigo = lexemas(fonte);
    const { lista, resto, reexporta } = importacoes(codigo);
    return [
      ...lista.flatMap((importacao) => {
        const quebrada = importacaoQuebra(de, importacao);
        return quebrada === null ? [] : [`${de}:${importacao.linha} importa ${importacao.alvo}: ${quebrada}`];
      }),
      ...(reexporta && resto.length === 0 ? [`${de}:1 só reexporta: não há arquivos-barril`] : []),
      ...tamanhoQuebra(de, fonte),
      ...codigo.flatMap((lexema, n) =>
        codigoQuebra(de, codigo, n).map((quebrada) => `${de}:${lexema.linha} ${quebrada}`),
      ),
    ];
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

function tamanhoQuebra(de: string, fonte: string): string[] {
  const linhas = fonte.trimEnd().split('\n').length;
  if (!/^(?:src|workers)\//.test(de) || linhas <= MAXIMO_DE_LINHAS) return [];
  return [`${de}:${linhas} tem ${linhas} linhas: passando de ${MAXIMO_DE_LINHAS} são dois assuntos`];
}

/** What the code at a place breaks, other than by importing. */
function codigoQuebra(de: string, codigo: readonly Lexema[], n: number): string[] {
  const { tipo, valor } = codigo[n]!;
  const [antes = '', depois = '', segundo = ''] = [n - 1, n + 1, n + 2].map((k) => codigo[k]?.valor);
  const quebras: string[] = [];
  if (tipo === 'palavra') {
    if (FABRICA.test(valor) && depois === '(' && antes !== 'function' && !CONSTROI.test(de)) {
      quebras.push(`chama ${valor}: só app/compose constrói`);
    }
    if (valor === 'export' && depois === 'default' && !/^(?:knexfile\.ts|workers\/threads\/)/.test(de)) {
      quebras.push('exporta por default: só knexfile.ts e workers/threads');
    }
    if (
      valor === 'process' &&
      depois === '.' &&
      segundo === 'env' &&
      !AMBIENTE_DE_PROCESSOS.includes(de) &&
      !de.startsWith('bench/')
    ) {
      const entregue = `${codigo[n - 2]?.valor}${antes}` === ENTREGA_O_AMBIENTE.get(de);
      if (!entregue || !/^[,)]$/.test(codigo[n + 3]?.valor ?? '')) {
        quebras.push('lê process.env: só platform/config lê o ambiente');
      }
    }
    if (valor === 'process' && depois === '.' && segundo !== 'env' && DENTRO_DE_QUALQUER_PROCESSO.test(de)) {
      quebras.push('toca no processo: o que o programa usa dele é cli.ts que dá');
    }
  }
  if (ENTRE_INQUILINOS.includes(de) || /^(?:migrations|bench)\//.test(de)) return quebras;
  if (tipo === 'palavra' && FILTRO.test(valor) && antes === '.' && depois === '(') {
    if (argumentos(codigo, n + 1).some((dentro) => dentro.valor.includes('provedor_id'))) {
      quebras.push('filtra provedor_id à mão: consultas de um inquilino partem de createTenantDb');
    }
  }
  if ((tipo === 'texto' || tipo === 'modelo') && /\bWHERE\b[^]*provedor_id\s*(?:=|IN\b)/i.test(valor)) {
    quebras.push('filtra provedor_id à mão: consultas de um inquilino partem de createTenantDb');
  }
  if (tipo === 'palavra' && /^(?:db|trx|knex)$/.test(valor) && antes !== '.' && depois === '(') {
    if (TABELAS_DE_INQUILINO.has(segundo.split(' ')[0]!)) {
      quebras.push(`usa a tabela ${segundo} sem inquilino: consultas de um inquilino partem de createTenantDb`);
    }
  }
  return quebras;
}

/** What stands in a call's own brackets; a call inside it is judged by itself. */
function argumentos(codigo: readonly Lexema[], abre: number): Lexema[] {
  const dentro: Lexema[] = [];
  let abertos = 0;
  for (let n = abre; n < codigo.length; n += 1) {
    const lexema = codigo[n]!;
    if (lexema.tipo === 'sinal') abertos += { '(': 1, ')': -1 }[lexema.valor] ?? 0;
    if (abertos === 0) break;
    if (abertos === 1) dentro.push(lexema);
  }
  return dentro;
}

function lerFontes(pastas: readonly string[]): Map<string, string> {
  const ler = (nome: string): [string, string][] => {
    const caminho = join(RAIZ, nome);
    if (!existsSync(caminho)) return [];
    if (nome.endsWith('.ts')) return [[nome, readFileSync(caminho, 'utf8')]];
    const entradas = readdirSync(caminho, { withFileTypes: true });
    return entradas
      .filter((entrada) => entrada.isDirectory() || entrada.name.endsWith('.ts'))
      .flatMap((entrada) => ler(`${nome}/${entrada.name}`));
  };
  return new Map(pastas.flatMap(ler));
}

const FONTES = lerFontes(['src', 'workers', 'seeds', 'migrations', 'bench', 'knexfile.ts']);

const TABELAS_DE_INQUILINO = new Set(
  [...FONTES].flatMap(([nome, fonte]) =>
    nome.startsWith('migrations/')
      ? [...fonte.matchAll(/CREATE TABLE IF NOT EXISTS (\w+) \(\s+provedor_id/g)].map(([, tabela]) => tabela!)
      : [],
  ),
);

test('cada arquivo só importa o que a tabela da arquitetura permite, e segue as regras da casa', (t) => {
  t.true(FONTES.has('src/app/roles.ts') && FONTES.has('workers/jobs/catalogue.ts') && FONTES.has('seeds/preparar.ts'));
  t.true(TABELAS_DE_INQUILINO.has('clientes') && TABELAS_DE_INQUILINO.size >= 15);
  t.deepEqual(violacoes(FONTES), []);
});

test('toda importação relativa do código leva a um arquivo que existe', (t) => {
  let vistas = 0;
  for (const [de, fonte] of FONTES) {
    for (const { alvo } of importacoes(lexemas(fonte)).lista.filter((importacao) => importacao.alvo.startsWith('.'))) {
      const arquivo = posix.join(posix.dirname(de), alvo);
      if (arquivo.startsWith('test/')) continue;
      t.true(FONTES.has(arquivo), `${de} importa ${alvo}`);
      vistas += 1;
    }
  }
  t.true(vistas > 300);
});

test('as exceções nomeadas existem e ainda são precisas', (t) => {
  for (const de of [...AMBIENTE_DE_PROCESSOS, ...ENTRE_INQUILINOS]) t.true(FONTES.has(de), de);
  for (const de of AMBIENTE_DE_PROCESSOS) t.regex(FONTES.get(de)!, /process\.env/, de);
  for (const de of ENTRE_INQUILINOS) t.regex(FONTES.get(de)!, /provedor_id/, de);
});

test('o leitor acha cada forma de importação, com a linha, e ignora comentários, textos e expressões', (t) => {
  const fonte = [
    `import a from './estatica.ts';`,
    `import './efeito.ts'; import b, { c as d } from "./aspas.ts";`,
    `import type { E } from './tipo.ts';`,
    `import {`,
    `  type F,`,
    `  g,`,
    `} from './varias-linhas.ts';`,
    `import * as h from './tudo.ts';`,
    `import type from './nome-type.ts';`,
    `const i = await import('./dinamica.ts'), j = import(\`./modelo.ts\`);`,
    `type K = import('./no-tipo.ts').K;`,
    `export * from './exporta-tudo.ts'; export { l, type M } from './exporta.ts'; export type { N } from './exporta-tipo.ts';`,
    `export { b }; const o = { from: 'nada' };`,
    `// import './comentario.ts'`,
    `/* import './bloco.ts' \n import './bloco.ts' */`,
    `const p = "import './texto.ts'", q = 'it\\'s import "./escapado.ts"';`,
    `const r = \`import './em-modelo.ts' \${await import('./na-expressao.ts')} import './depois.ts'\`;`,
    `const s = /import '.\\/regex.ts'|["'\`]/g.test(q) ? 6 / 2 / 1 : import.meta.url;`,
    `import(new URL('./por-url.ts', import.meta.url).href); obj.import('./metodo.ts');`,
    `import './fim.ts';`,
  ].join('\n');
  t.deepEqual(
    importacoes(lexemas(fonte)).lista.map(({ linha, alvo, forma }) => [linha, alvo, forma]),
    [
      [1, './estatica.ts', 'estatica'],
      [2, './efeito.ts', 'estatica'],
      [2, './aspas.ts', 'estatica'],
      [3, './tipo.ts', 'tipo'],
      [4, './varias-linhas.ts', 'estatica'],
      [8, './tudo.ts', 'estatica'],
      [9, './nome-type.ts', 'estatica'],
      [10, './dinamica.ts', 'dinamica'],
      [10, './modelo.ts', 'dinamica'],
      [11, './no-tipo.ts', 'dinamica'],
      [12, './exporta-tudo.ts', 'reexporta'],
      [12, './exporta.ts', 'reexporta'],
      [12, './exporta-tipo.ts', 'reexporta'],
      [18, './na-expressao.ts', 'dinamica'],
      [21, './fim.ts', 'estatica'],
    ],
  );
});

const QUEBRAM: readonly (readonly [de: string, fonte: string, regra: RegExp])[] = [
  ['src/surfaces/pages/a.ts', `import '../public-api/rota.ts';`, /uma superfície/],
  ['src/surfaces/pages/a.ts', `import '../../app/compose/container.ts';`, /uma superfície/],
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
  ['src/cli.ts', `createGate({});`, /só app\/compose constrói/],
  ['workers/jobs/a.job.ts', `createPublicApi({});`, /só app\/compose constrói/],
  ['src/domain/a/a.ts', `const { TZ } = process.env;`, /lê process\.env/],
  ['src/app/roles.ts', `if (process.env['PORT'] === '1') loadConfig({});`, /lê process\.env/],
  ['src/platform/config.ts', `loadConfig(process.env);`, /lê process\.env/],
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
  ['src/app/compose/worker.ts', `db('faturas as f').select('id');`, /sem inquilino/],
];

for (const [de, fonte, regra] of QUEBRAM) {
  test(`é recusado: ${de}, ${fonte.slice(0, 70).replaceAll('\n', ' ')}`, (t) => {
    const achadas = violacoes(new Map([[de, fonte]]));
    t.is(achadas.length, 1, achadas.join('\n'));
    t.regex(achadas[0]!, regra);
    t.true(achadas[0]!.startsWith(`${de}:`));
  });
}

test('o que a tabela permite não é recusado', (t) => {
  const permitido = new Map([
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
  ]);
  t.deepEqual(violacoes(permitido), []);
});

// Where things stand: rooms of a size that one sees at a glance, and one way between them.
const MAXIMO_NA_PASTA = 12;

const GRAFO = new Map(
  [...FONTES]
    .filter(([de]) => /^(?:src|workers|seeds)\//.test(de))
    .map(([de, fonte]) => {
      const { lista } = importacoes(lexemas(fonte));
      const relativas = lista.filter(({ alvo }) => alvo.startsWith('.'));
      return [de, new Set(relativas.map(({ alvo }) => posix.join(posix.dirname(de), alvo)))];
    }),
);

/** What comes back to itself, as `a → b → a`; the empty text where nothing does. */
function circulo(grafo: ReadonlyMap<string, ReadonlySet<string>>): string {
  const vistos = new Set<string>();
  function seguir(no: string, caminho: readonly string[]): string {
    const desde = caminho.indexOf(no);
    if (desde !== -1) return [...caminho.slice(desde), no].join(' → ');
    if (vistos.has(no)) return '';
    vistos.add(no);
    for (const proximo of grafo.get(no) ?? []) {
      const achado = seguir(proximo, [...caminho, no]);
      if (achado !== '') return achado;
    }
    return '';
  }
  for (const no of grafo.keys()) {
    const achado = seguir(no, []);
    if (achado !== '') return achado;
  }
  return '';
}

/** The graph of areas: of machinery, of pure functions and of what starts them, each room is one. */
function porArea(grafo: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const areaDe = (arquivo: string): string =>
    /^src\/(?:platform|brazil|local|app|kit|access)\//.test(arquivo) ? posix.dirname(arquivo) : pasta(arquivo, 2);
  const areas = new Map<string, Set<string>>();
  for (const [de, alvos] of grafo) {
    const area = areaDe(de);
    const vizinhas = areas.get(area) ?? new Set();
    for (const alvo of alvos) if (areaDe(alvo) !== area) vizinhas.add(areaDe(alvo));
    areas.set(area, vizinhas);
  }
  return areas;
}

test('nenhuma pasta de src tem mais de doze arquivos soltos', (t) => {
  const soltos = new Map<string, number>();
  for (const arquivo of FONTES.keys()) {
    const onde = posix.dirname(arquivo);
    if (/^src(?:\/|$)/.test(onde)) soltos.set(onde, (soltos.get(onde) ?? 0) + 1);
  }
  const cheias = [...soltos].filter(([, quantos]) => quantos > MAXIMO_NA_PASTA).map(([onde]) => onde);
  t.deepEqual(cheias, []);
});

test('nenhuma importação dá em círculo, entre arquivos nem entre áreas', (t) => {
  t.true(GRAFO.size > 200);
  t.is(circulo(GRAFO), '');
  t.is(circulo(porArea(GRAFO)), '');
  t.is(
    circulo(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c', 'd'])],
        ['d', new Set(['b'])],
      ]),
    ),
    'b → d → b',
  );
});

// Rules over the schemas of every route.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  formats: {
    date: (texto: string) => lerData(texto) !== null,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    cpf_cnpj: (texto: string) => normalizarCpfCnpj(texto) !== null,
    telefone: (texto: string) => normalizarTelefone(texto) !== null,
    dinheiro: true,
  },
});

/** A schema and every schema inside it, with the path to each. */
function* todos(esquema: Schema, caminho: string): Generator<[caminho: string, esquema: Schema]> {
  yield [caminho, esquema];
  for (const [nome, dentro] of Object.entries(esquema.properties ?? {})) yield* todos(dentro, `${caminho}.${nome}`);
  for (const [n, ramo] of (esquema.anyOf ?? []).entries()) yield* todos(ramo, `${caminho}|${n}`);
  if (esquema.items !== undefined) yield* todos(esquema.items, `${caminho}[]`);
}

const nomeDa = ({ method, path }: (typeof ROTAS)[number]): string => `${method} ${path}`;

/** Schema of the body that a route takes. */
const corpoDe = (rota: (typeof ROTAS)[number]): ObjectSchema | undefined =>
  rota.kind === 'write' ? rota.body?.schema : undefined;

/** Those that answer with data. */
const DE_DADOS = ROTAS.filter((rota) => rota.kind !== 'file');

test('cada rota diz o que faz, em que grupo, e dá um exemplo que obedece ao seu esquema', (t) => {
  t.is(new Set(ROTAS.map(nomeDa)).size, ROTAS.length);
  for (const rota of ROTAS) {
    t.regex(rota.summary, /^\p{Lu}.{5,}[^.]$/u, nomeDa(rota));
    t.regex(rota.group, /^\p{Lu}\p{Ll}/u, nomeDa(rota));
  }
  for (const rota of DE_DADOS) {
    t.not(rota.example, undefined, nomeDa(rota));
    t.true(ajv.validate(rota.data, rota.example), `${nomeDa(rota)}: ${ajv.errorsText()}`);
    if (Array.isArray(rota.example)) t.not(rota.example.length, 0, nomeDa(rota));
  }
});

test('cada parâmetro e campo que se envia tem tipo, descrição e exemplo que obedece ao seu esquema', (t) => {
  for (const rota of ROTAS) {
    for (const entrada of [rota.query, corpoDe(rota) ?? null]) {
      if (entrada === null) continue;
      t.false(entrada.additionalProperties ?? true, nomeDa(rota));
      for (const [nome, esquema] of Object.entries(entrada.properties)) {
        const onde = `${nomeDa(rota)} ${nome}`;
        t.regex(esquema.description ?? '', /^.{5,}\.$/u, onde);
        t.true((esquema.examples ?? []).length > 0, onde);
        t.true(esquema.type !== undefined || esquema.anyOf !== undefined, onde);
      }
    }
  }
});

test('cada esquema é fechado, tem tipo, e os seus exemplos e padrões obedecem a ele', (t) => {
  const porTitulo = new Map<string, Schema>();
  for (const rota of ROTAS) {
    const dados = rota.kind === 'file' ? [] : rota.data;
    const inteiros = [dados, rota.query ?? [], corpoDe(rota) ?? []].flat();
    for (const [onde, esquema] of inteiros.flatMap((inteiro) => [...todos(inteiro, nomeDa(rota))])) {
      t.true(esquema.type !== undefined || esquema.anyOf !== undefined, `${onde} não tem tipo`);
      if (esquema.type === 'object') t.false(esquema.additionalProperties ?? true, `${onde} aceita qualquer campo`);
      if (esquema.type === 'array') t.not(esquema.items, undefined, `${onde} não diz os itens`);
      for (const exemplo of [
        ...(esquema.examples ?? []),
        ...(esquema.default === undefined ? [] : [esquema.default]),
      ]) {
        t.true(ajv.validate(esquema, exemplo), `${onde}: ${ajv.errorsText()}`);
      }
      if (esquema.title !== undefined) {
        t.is(porTitulo.get(esquema.title) ?? esquema, esquema, `${onde}: há dois esquemas ${esquema.title}`);
        porTitulo.set(esquema.title, esquema);
      }
    }
  }
});

test('uma resposta nunca omite um campo: todo objeto de dados exige todas as suas propriedades', (t) => {
  for (const rota of DE_DADOS) {
    for (const [onde, esquema] of todos(rota.data, nomeDa(rota))) {
      if (esquema.type !== 'object') continue;
      t.deepEqual([...(esquema.required ?? [])].toSorted(), Object.keys(esquema.properties ?? {}).toSorted(), onde);
    }
  }
});
