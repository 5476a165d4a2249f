import { createHash, randomBytes } from 'node:crypto';
import test from 'ava';
import { PERMISSOES, SEM_RESTRICAO } from '../src/domain/chaves/chaves.types.ts';
import { createDatabase } from '../src/platform/mysql/database.ts';
import { criarApi } from './support/api.ts';
import type { Api } from './support/api.ts';
import { largarBanco, urlDoBanco } from './support/banco.ts';
import { INGLES, criarTerminal } from './support/terminal.ts';
import type { Terminal } from './support/terminal.ts';

let api: Api;
let terminal: Terminal;
test.before(async () => {
  api = await criarApi({ processos: 2 });
  terminal = criarTerminal(api);
});
test.after.always(async () => {
  await api.fechar();
  terminal.fechar();
});

const malha: Terminal['malha'] = (...args) => terminal.malha(...args);
const emProcesso: Terminal['processo'] = (...args) => terminal.processo(...args);
const json = <T>(args: readonly string[]): Promise<T> => terminal.json<T>(args);

interface ProvedorJson {
  readonly id: number;
  readonly nome: string;
  readonly panel_host: string;
  readonly fuso_horario: string;
}
interface ChaveJson {
  readonly id: number;
  readonly provedor_id: number;
  readonly chave: string;
}

let provedores = 0;
async function criarProvedor(): Promise<ProvedorJson> {
  provedores += 1;
  return json(['provedor', 'criar', '--nome', `Provedor ${provedores}`, '--host', `p${provedores}.cli.test`]);
}
const criarChave = (provedor: number, ...mais: string[]): Promise<ChaveJson> =>
  json(['chave', 'criar', '--provedor', String(provedor), '--nome', 'ura', '--permissoes', 'todas', ...mais]);

for (const comando of [
  [],
  ['start'],
  ['serve'],
  ['worker'],
  ['migrate'],
  ['demo'],
  ['backup'],
  ['backup', 'fazer'],
  ['backup', 'restaurar'],
  ['provedor'],
  ['provedor', 'criar'],
  ['provedor', 'listar'],
  ['provedor', 'configurar'],
  ['provedor', 'mostrar'],
  ['provedor', 'conferir'],
  ['provedor', 'feriado'],
  ['provedor', 'feriado', 'adicionar'],
  ['provedor', 'feriado', 'remover'],
  ['provedor', 'feriado', 'listar'],
  ['provedor', 'nas'],
  ['provedor', 'nas', 'adicionar'],
  ['provedor', 'nas', 'listar'],
  ['provedor', 'nas', 'remover'],
  ['chave'],
  ['chave', 'criar'],
  ['chave', 'listar'],
  ['chave', 'revogar'],
  ['plano'],
  ['plano', 'criar'],
  ['plano', 'listar'],
  ['plano', 'alterar'],
  ['plano', 'retirar'],
  ['plano', 'repor'],
  ['contrato'],
  ['contrato', 'criar'],
  ['contrato', 'mostrar'],
  ['contrato', 'listar'],
  ['contrato', 'ativar'],
  ['contrato', 'bloquear'],
  ['contrato', 'liberar'],
  ['contrato', 'suspender'],
  ['contrato', 'reativar'],
  ['contrato', 'cancelar'],
  ['contrato', 'encerrar'],
  ['contrato', 'alterar'],
  ['contrato', 'trocar-plano'],
  ['contrato', 'trocar-titular'],
  ['contrato', 'historico'],
  ['receptor'],
  ['receptor', 'criar'],
  ['receptor', 'listar'],
  ['receptor', 'revogar'],
  ['recebimento'],
  ['recebimento', 'listar'],
  ['recebimento', 'conferir'],
  ['recebimento', 'vincular'],
  ['recebimento', 'desvincular'],
  ['recebimento', 'rejulgar'],
  ['fatura'],
  ['fatura', 'reabrir'],
  ['cliente'],
  ['cobrador'],
  ['banco'],
  ['banco', 'convenio'],
  ['banco', 'convenio', 'criar'],
  ['banco', 'remessa'],
  ['banco', 'remessa', 'gerar'],
  ['banco', 'retorno'],
  ['banco', 'retorno', 'arquivo'],
  ['importar'],
  ['registro-conexao'],
  ['cache'],
  ['cache', 'esquecer'],
  ['job'],
  ['job', 'listar'],
  ['job', 'rodar'],
  ['job', 'estado'],
  ['job', 'repetir'],
]) {
  test(`malha ${[...comando, '--help'].join(' ')} explica em português`, async (t) => {
    const { codigo, stdout, stderr } = await malha([...comando, '--help']);
    t.is(codigo, 0);
    t.is(stderr, '');
    t.regex(stdout, new RegExp(`^Uso: malha ?${comando.join(' ')}`));
    t.regex(stdout, /Opções:/);
    t.regex(stdout, /-h, --help +mostra esta ajuda/);
    t.notRegex(stdout, INGLES);
  });
}

test('malha --version diz a versão', async (t) => {
  t.deepEqual(await emProcesso(['--version']), { codigo: 0, stdout: '1.0.0\n', stderr: '' });
});

test('um provedor criado é listado, em texto e em JSON', async (t) => {
  const args = ['provedor', 'criar', '--nome', 'Serra Fibra', '--host', 'Serra.CLI.test', '--fuso', 'America/Manaus'];
  const texto = await emProcesso(args);
  t.is(texto.codigo, 0, texto.stderr);
  t.regex(texto.stdout, /^Provedor \d+ criado: Serra Fibra \(serra\.cli\.test\)\n$/);

  const criado = await criarProvedor();
  t.like(criado, { fuso_horario: 'America/Sao_Paulo' });
  const todos = await json<ProvedorJson[]>(['provedor', 'listar']);
  t.deepEqual(
    todos.find(({ id }) => id === criado.id),
    criado,
  );
  t.like(
    todos.find(({ panel_host }) => panel_host === 'serra.cli.test'),
    {
      nome: 'Serra Fibra',
      fuso_horario: 'America/Manaus',
    },
  );
  const lista = await emProcesso(['provedor', 'listar']);
  t.regex(lista.stdout, /^\d+ {2}Serra Fibra {2}serra\.cli\.test {2}America\/Manaus$/m);
});

test('o texto de uma chave só aparece ao criá-la: nem a lista nem o banco o têm', async (t) => {
  const provedor = await criarProvedor();
  const id = String(provedor.id);
  const criar = [
    'chave',
    'criar',
    '--provedor',
    id,
    '--nome',
    'chatbot',
    '--permissoes',
    'clientes:leitura, planos:leitura',
  ];
  const emTexto = await malha([...criar, '--ips', '127.0.0.1,10.0.0.0/8', '--limite', '77', '--expira', '2030-01-31']);
  t.is(emTexto.codigo, 0, emTexto.stderr);
  const chave = /^malha_\w+$/m.exec(emTexto.stdout)?.[0] ?? '';
  t.regex(chave, /^malha_[0-9a-z]+_[0-9A-Za-z]{38}$/);
  t.regex(emTexto.stdout, /não será mostrada de novo/);
  const emJson = await criarChave(provedor.id);
  t.is(emJson.provedor_id, provedor.id);

  const lista = await malha(['chave', 'listar', '--provedor', id]);
  const listaJson = await malha(['chave', 'listar', '--provedor', id, '--json']);
  t.is(lista.stdout.trimEnd().split('\n').length, 2);
  t.like(JSON.parse(listaJson.stdout)[0], {
    nome: 'chatbot',
    permissoes: ['clientes:leitura', 'planos:leitura'],
    ips_permitidos: ['127.0.0.1', '10.0.0.0/8'],
    limite_por_minuto: 77,
    expira_em: '2030-01-31T00:00:00.000Z',
    revogada_em: null,
  });
  t.like(JSON.parse(listaJson.stdout)[1], {
    permissoes: [...PERMISSOES],
    ips_permitidos: null,
    limite_por_minuto: 120,
  });

  const linhas: Record<string, unknown>[] = await api.container.db('chaves_api').where('provedor_id', provedor.id);
  const bytes = linhas
    .flatMap((linha) => Object.values(linha))
    .map((v) => (Buffer.isBuffer(v) ? v.toString('latin1') : String(v)));
  for (const texto of [chave, emJson.chave]) {
    const segredo = texto.slice(texto.lastIndexOf('_') + 1);
    for (const lugar of [lista.stdout, listaJson.stdout, lista.stderr, ...bytes]) {
      t.false(lugar.includes(segredo.slice(8)), 'a maior parte do segredo não está em lugar algum');
    }
    const hash = createHash('sha256').update(texto).digest();
    t.true(linhas.some((linha) => hash.equals(linha['hash'] as Buffer)));
  }
});

test('uma chave criada vale na API na hora, e revogada deixa de valer em todos os processos quando o comando responde', async (t) => {
  const provedor = await criarProvedor();
  const { id, chave } = await criarChave(provedor.id);
  for (const processo of [0, 1, 0, 1]) {
    const { status, corpo } = await api.get('/status', { chave, processo });
    t.is(status, 200);
    t.like(corpo.dados, { provedor: provedor.nome, chave: 'ura' });
  }
  const texto = await malha(['chave', 'revogar', String(id), '--provedor', String(provedor.id)]);
  t.is(texto.codigo, 0, texto.stderr);
  t.is(texto.stdout, `Chave ${id} revogada.\n`);
  for (const processo of [0, 1]) {
    const { status, corpo } = await api.get('/status', { chave, processo });
    t.is(status, 401);
    t.is(corpo.erro.codigo, 'chave_revogada');
  }
  // Again changes nothing, not even the instant.
  const listar = ['chave', 'listar', '--provedor', String(provedor.id)];
  const [antes] = await json<{ revogada_em: string }[]>(listar);
  t.deepEqual(await json(['chave', 'revogar', String(id), '--provedor', String(provedor.id)]), {
    id,
    provedor_id: provedor.id,
    revogada: true,
  });
  t.deepEqual((await json<{ revogada_em: string }[]>(listar))[0], antes);
  t.regex((await malha(listar)).stdout, /revogada em 20/);
});

test('chave criar --restricoes: as duas, e "todas" sem o que não cabe; chave alterar só as acrescenta', async (t) => {
  const provedor = await criarProvedor();
  const doProvedor = ['--provedor', String(provedor.id)];
  const { chave } = await criarChave(provedor.id, '--restricoes', 'dados_mascarados, somente_busca');
  const cabem = PERMISSOES.filter((uma) => !SEM_RESTRICAO.includes(uma));
  for (const processo of [0, 1]) {
    const { corpo } = await api.get('/status', { chave, processo });
    t.like(corpo.dados, { permissoes: cabem, restricoes: ['somente_busca', 'dados_mascarados'] });
  }
  const demais = ['chave', 'criar', ...doProvedor, '--nome', 'x', '--restricoes', 'somente_busca'];
  const naoCabe = await malha([...demais, '--permissoes', 'clientes:leitura,extratos:leitura']);
  t.is(naoCabe.codigo, 1);
  t.regex(naoCabe.stderr, /extratos:leitura/);
  t.is((await malha([...demais.slice(0, -1), 'tudo', '--permissoes', 'todas'])).codigo, 1);

  const doBot = ['--nome', 'bot', '--permissoes', 'clientes:leitura'];
  const livre = await json<ChaveJson>(['chave', 'criar', ...doProvedor, ...doBot]);
  const alterar = (...mais: string[]) => malha(['chave', 'alterar', String(livre.id), ...doProvedor, ...mais]);
  const lidas = async (processo: number): Promise<string[]> =>
    (await api.get('/status', { chave: livre.chave, processo })).corpo.dados.restricoes;
  t.deepEqual(await lidas(0), []);
  t.is((await alterar('--restricoes', 'somente_busca')).stdout, `Chave ${livre.id}: mudou: restricoes.\n`);
  for (const processo of [0, 1]) t.deepEqual(await lidas(processo), ['somente_busca']);
  for (const menos of ['', 'dados_mascarados']) {
    const recusa = await alterar('--restricoes', menos);
    t.is(recusa.codigo, 1, menos);
  }
  t.is((await alterar('--restricoes', 'somente_busca,dados_mascarados')).codigo, 0);
  for (const processo of [0, 1]) t.deepEqual(await lidas(processo), ['somente_busca', 'dados_mascarados']);
  t.regex((await malha(['chave', 'listar', ...doProvedor])).stdout, /bot .*\(somente_busca,dados_mascarados\)/);
});

test('a chave de um provedor não se lista nem se revoga por outro', async (t) => {
  const [um, outro] = [await criarProvedor(), await criarProvedor()];
  const { id, chave } = await criarChave(um.id);
  t.deepEqual(await json(['chave', 'listar', '--provedor', String(outro.id)]), []);
  const recusa = await malha(['chave', 'revogar', String(id), '--provedor', String(outro.id)]);
  t.is(recusa.codigo, 1);
  t.is(recusa.stderr, `erro: o provedor ${outro.id} não tem a chave ${id}\n`);
  t.is((await api.get('/status', { chave })).status, 200);
});

for (const [args, codigo] of [
  [[], 1],
  [['help', 'chave'], 0],
  [['provedor', 'listar', '--tudo'], 1],
  [['chave', 'revogar', '1', '--provedor', '999999'], 1],
] as const) {
  test(`num processo seu ou no de outro, diz e devolve o mesmo: malha ${args.join(' ')}`, async (t) => {
    const [um, outro] = [await emProcesso(args), await malha(args)];
    t.is(um.codigo, codigo);
    t.deepEqual(um, outro);
  });
}

const CHAVE = ['chave', 'criar', '--provedor', '1', '--nome', 'x', '--permissoes', 'todas'];
const PROVEDOR = ['provedor', 'criar', '--nome', 'x', '--host'];
const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['inventado'], /comando desconhecido 'inventado'/],
  [['provedo'], /comando desconhecido 'provedo'/],
  [['provedor', 'criar', '--nome', 'x'], /falta a opção '--host <host>'/],
  [['provedor', 'listar', '--tudo'], /opção desconhecida '--tudo'/],
  [['provedor', 'listar', 'a'], /argumentos demais/],
  [['chave', 'revogar', '--provedor', '1'], /falta o argumento 'id'/],
  [['chave', 'revogar', 'x', '--provedor', '1'], /o argumento 'id' não aceita 'x': deve ser um número inteiro\./],
  [['chave', 'listar', '--provedor'], /falta o valor da opção '--provedor <id>'/],
  [['chave', 'listar', '--provedor', '-1'], /deve ser um número inteiro|falta o valor/],
  [[...CHAVE, '--expira', 'amanhã'], /não aceita 'amanhã': deve ser uma data ISO 8601/],
  [[...CHAVE, '--limite', '1.5'], /não aceita '1\.5': deve ser um número inteiro/],
  [[...CHAVE, '--limite', '1201'], /limite: deve ser de 1 a 1200/],
  [[...CHAVE, '--limite', '0'], /limite: deve ser de 1 a 1200/],
  [[...CHAVE, '--ips', '10.0.0.0/33'], /ips\.0: deve ser um endereço ou uma faixa CIDR/],
  [CHAVE.with(7, 'rede:escrita'), /permissoes\.0: deve ser um de: clientes:leitura/],
  [CHAVE.with(5, ' '), /nome: não pode ser vazio/],
  [CHAVE.with(3, '999999'), /provedor 999999 não existe/],
  [[...PROVEDOR, 'sem espaço.test'], /host: um nome de host/],
  [[...PROVEDOR, '10.0.0.1'], /host: um nome de host/],
  [[...PROVEDOR, 'ok.cli.test', '--fuso', 'Lua/Mar'], /fuso: um fuso IANA/],
  [[...PROVEDOR, 'primeiro.cli.test'], /host: primeiro\.cli\.test já é de outro provedor/],
];

for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha: malha ${args.join(' ')}`, async (t) => {
    // There are a provider 1 and one of that host, whichever test runs first.
    await primeiro();
    const { codigo, stdout, stderr } = await malha(args);
    t.is(codigo, 1);
    t.is(stdout, '');
    t.regex(stderr, /^erro: .+\n(?:\(seria .+\?\)\n)?$/u);
    t.regex(stderr, dito);
    t.notRegex(stderr, INGLES);
    t.notRegex(stderr, /\n\s+at |node:internal|\.js:\d+/);
  });
}

let oPrimeiro: Promise<unknown> | undefined;
function primeiro(): Promise<unknown> {
  oPrimeiro ??= json(['provedor', 'criar', '--nome', 'Primeiro', '--host', 'primeiro.cli.test']);
  return oPrimeiro;
}

test('cada configuração errada é dita em uma linha sua, sem o valor', async (t) => {
  const { codigo, stdout, stderr } = await emProcesso(['provedor', 'listar'], {
    PORT: '99999',
    MALHA_POOL: 'dez',
    MALHA_LOG: 'gritar',
    MALHA_PROXIES: '-1',
    DATABASE_URL: 'postgres://usuario:segredo@host/banco',
  });
  t.is(codigo, 1);
  t.is(stdout, '');
  const linhas = stderr.trimEnd().split('\n');
  t.is(linhas.length, 5);
  for (const nome of ['PORT', 'MALHA_POOL', 'MALHA_LOG', 'MALHA_PROXIES', 'DATABASE_URL']) {
    t.is(linhas.filter((linha) => linha.includes(`Configuração inválida: ${nome} — `)).length, 1, nome);
  }
  t.false(stderr.includes('segredo'));
  t.notRegex(stderr, /must|allowed|\n\s+at /);
});

for (const [nome, env] of Object.entries({
  'o banco': { DATABASE_URL: 'mysql://root:segredo@127.0.0.1:1/malha' },
  'o Redis': { REDIS_URL: 'redis://127.0.0.1:1/0' },
  'a senha do banco': { DATABASE_URL: 'SENHA' },
})) {
  test(`quando ${nome} não responde ou não serve, o comando diz isso em uma linha`, async (t) => {
    const url = new URL(api.databaseUrl);
    url.username = 'ninguem';
    // Redis is called again and again, which must not hold a process that has ended.
    const rodar = nome === 'o Redis' ? emProcesso : malha;
    const { codigo, stdout, stderr } = await rodar(
      ['provedor', 'listar'],
      Object.fromEntries(Object.entries(env).map(([chave, valor]) => [chave, valor === 'SENHA' ? url.href : valor])),
    );
    t.is(codigo, 1);
    t.is(stdout, '');
    t.regex(stderr, /^erro: .+\n$/u);
    t.regex(stderr, nome === 'o Redis' ? /Redis/ : /banco/);
    t.false(stderr.includes('segredo'));
  });
}

test('migrate cria o esquema num banco vazio, e de novo não muda nada', async (t) => {
  const nome = `malha_teste_${randomBytes(6).toString('hex')}`;
  const servidor = createDatabase({ url: urlDoBanco('', 'dono'), pool: 1 });
  await servidor.raw('CREATE DATABASE ?? CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci', [nome]);
  try {
    const dono = { DATABASE_URL: urlDoBanco(nome, 'aplicacao'), DATABASE_OWNER_URL: urlDoBanco(nome, 'dono') };
    const primeira = await emProcesso(['migrate'], dono);
    t.is(primeira.codigo, 0, primeira.stderr);
    t.regex(primeira.stdout, /^Esquema em dia \(\d+ migrações\)\.\n$/);
    t.deepEqual(await malha(['migrate'], dono), primeira);
    // Once the owner has brought the schema up to date, the application's user is enough.
    const aplicacao = { DATABASE_URL: dono.DATABASE_URL };
    t.is((await malha(['provedor', 'listar', '--json'], aplicacao)).stdout, '[]\n');
  } finally {
    await largarBanco(servidor, nome);
    await servidor.destroy();
  }
});
