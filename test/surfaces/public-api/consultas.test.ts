import test from 'ava';
import type { Knex } from 'knex';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let um: Povoado;
let muitos: Povoado;
let milhares: Povoado;

test.before(async () => {
  api = await criarApi({ relogio });
  um = await povoar(1);
  muitos = await povoar(99);
  milhares = await povoar(3000);
  // The optimizer must choose one tenant's rows among those of others.
  await povoar(3000);
  for (const tabela of ['planos', 'clientes', 'clientes_telefones', 'contratos', 'conexoes', 'quedas_diarias']) {
    await api.dono.raw('ANALYZE TABLE ??', [tabela]);
  }
  for (const tabela of [
    'faturas',
    'desbloqueios_confianca',
    'chamados',
    'chamados_historico',
    'atendimentos',
    'promessas_pagamento',
    'extratos',
    'radacct',
  ]) {
    await api.dono.raw('ANALYZE TABLE ??', [tabela]);
  }
});
test.after.always(() => api.fechar());

interface Povoado {
  readonly chave: string;
  readonly host: string;
  readonly cliente: number;
  readonly contrato: number;
  readonly fatura: number;
  readonly chamado: number;
}

/** Multiples of a day before the clock, as MySQL's text. */
const diasAntes = (dias: number): string =>
  new Date(relogio.agora().getTime() - dias * 86_400_000).toISOString().slice(0, 23).replace('T', ' ');

/**
 * `n` clients with a phone, a contract, an invoice and a ticket each, and `n` plans. The first client has `n` phones
 * and contracts more; the first contract and ticket, as many sessions, days with drops, unblocks and history entries.
 */
async function povoar(n: number): Promise<Povoado> {
  const db = api.dono;
  const fabrica = criarFabrica(db);
  const provedor = await fabrica.provedor();
  const tenant = createTenantWriter(db, provedor);
  const { panel_host: host } = await db('provedores').where('id', provedor).first('panel_host');
  const quantos = Array.from({ length: n }, (_, i) => i);
  /** Writes the rows and resolves to their ids. */
  async function gravar(tabela: string, linhas: readonly object[]): Promise<number[]> {
    for (let i = 0; i < linhas.length; i += 1000) await tenant.insert(tabela, linhas.slice(i, i + 1000));
    const colunas = (await db(tabela).columnInfo()) as object;
    if (!('id' in colunas)) return [];
    return await db(tabela).where('provedor_id', provedor).orderBy('id').pluck('id');
  }

  const planos = await gravar(
    'planos',
    quantos.map((i) => ({
      nome: `P${i}`,
      download_mbps: 1,
      upload_mbps: 1,
      valor: '1.00',
      ativo: i % 3 === 2 ? 0 : 1,
    })),
  );
  const clientes = await gravar(
    'clientes',
    quantos.map((i) => ({
      nome: `C${i}`,
      tipo: 'pf',
      cpf_cnpj: String(10_000_000_000 + i),
      situacao: i % 20 === 0 ? 'bloqueado' : 'ativo',
    })),
  );
  await gravar('clientes_telefones', [
    ...quantos.map((i) => ({ cliente_id: clientes[i], numero: `359${String(90_000_000 + i)}` })),
    ...quantos.slice(0, 99).map((i) => ({ cliente_id: clientes[0], numero: `359${String(80_000_000 + i)}` })),
  ]);
  const ultimoDoPrimeiro = (i: number): boolean => i === Math.ceil(n / 2) - 1;
  const base = {
    plano_id: planos[0],
    situacao: 'ativo',
    tipo_cobranca: 'pos_pago',
    dia_vencimento: 10,
    valor: '1.00',
  };
  const contratos = await gravar('contratos', [
    ...quantos.map((i) => ({ ...base, cliente_id: clientes[i], login: `login${i}` })),
    ...quantos.slice(0, 99).map((i) => ({ ...base, cliente_id: clientes[0], login: `outro${i}` })),
  ]);
  const doContrato = (i: number) => ({ cliente_id: clientes[i], contrato_id: contratos[i] });
  const faturas = await gravar(
    'faturas',
    quantos.map((i) => ({
      ...doContrato(i),
      situacao: ['paga', 'paga', 'paga', 'pendente', 'vencida', 'cancelada', 'estornada'][i % 7],
      valor: '1.00',
      vencimento: diasAntes((i % 700) - 30).slice(0, 10),
      emitida_em: diasAntes((i % 700) - 20),
      token: `${provedor}-${String(i).padStart(20, '0')}`,
    })),
  );
  const chamados = await gravar(
    'chamados',
    quantos.map((i) => ({
      ...doContrato(i),
      protocolo: `20261101${String(i).padStart(6, '0')}`,
      situacao: i % 10 === 0 ? 'aberto' : i % 10 === 1 ? 'em_andamento' : 'solucionado',
      assunto: 'a',
      descricao: 'b',
      aberto_em: diasAntes(i % 700),
    })),
  );
  await gravar(
    'chamados_historico',
    [...quantos, ...quantos].map((i) => ({ chamado_id: i < n / 2 ? chamados[0] : chamados[i], acao: 'comentario' })),
  );
  await gravar(
    'desbloqueios_confianca',
    quantos.map((i) => ({
      contrato_id: i < n / 2 ? contratos[0] : contratos[i],
      dias: 3,
      aplicado_em: diasAntes(9),
      fatura_causa_id: faturas[i],
      // A contract has one that has not ended, at most: the last, which is in force.
      ate: diasAntes(ultimoDoPrimeiro(i) ? -20 : i - 20),
      encerrado_em: ultimoDoPrimeiro(i) || i >= n / 2 ? null : diasAntes(i),
    })),
  );
  await gravar(
    'atendimentos',
    quantos.map((i) => ({
      protocolo: `20261101${String(i).padStart(6, '0')}`,
      tipo: 'chamado',
      cliente_id: i < n / 2 ? clientes[0] : clientes[i],
      chamado_id: chamados[i],
      aberto_em: diasAntes(i % 700),
    })),
  );
  await gravar(
    'promessas_pagamento',
    quantos.map((i) => ({ ...doContrato(i), data: diasAntes(-3).slice(0, 10), registrada_em: diasAntes(1) })),
  );
  for (const lista of ['clientes', 'faturas', 'chamados']) {
    const linhas = quantos.map((i) => ({ lista, registro_id: 1_000_000_000 + i, removido_em: diasAntes(i % 100) }));
    await gravar('registros_removidos', linhas);
  }
  await gravar(
    'extratos',
    quantos.map((i) => ({ dia: diasAntes(i).slice(0, 10), situacao: 'removido', criado_em: diasAntes(i) })),
  );
  const nas = `10.9.0.${provedor}`;
  await fabrica.nas(provedor, nas);
  for (const i of quantos.slice(0, 500)) {
    const inicio = new Date(relogio.agora().getTime() - (i + 2) * 3_600_000).toISOString().slice(0, 19);
    const fim = new Date(relogio.agora().getTime() - (i + 1) * 3_600_000).toISOString().slice(0, 19);
    const username = i < 99 ? 'login0' : `login${i}`;
    const acctterminatecause = 'Lost-Carrier';
    await fabrica.sessao({ username, nasipaddress: nas, acctstarttime: inicio, acctstoptime: fim, acctterminatecause });
  }
  await createAgregacao({ db, relogio, intervaloPadraoSegundos: 300 }).agregarTudo(provedor);

  const { texto: chave } = await api.criarChave(provedor);
  return { chave, host, cliente: clientes[0]!, contrato: contratos[0]!, fatura: faturas[0]!, chamado: chamados[0]! };
}

interface Comando {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

let vezes = 0;

/** What a request asks of the database. Tests that use it are serial, for the pool is one. */
async function comandosDe({ chave, host }: Povoado, caminho: string): Promise<{ comandos: Comando[]; corpo: any }> {
  // On the panel's own host and with the key's record in memory, the door asks nothing of the database.
  await api.get('/status', { chave, headers: { host } });
  const comandos: Comando[] = [];
  const anotar = (comando: Comando): void => {
    comandos.push(comando);
  };
  // What an answer costs is asked of one that nobody kept: the same parameters, written as nobody wrote them before.
  vezes += 1;
  const novo = `${caminho}${caminho.includes('?') ? '' : '?'}${'&'.repeat(vezes)}`;
  api.container.db.on('query', anotar);
  try {
    const { status, corpo } = await api.get(novo, { chave, headers: { host } });
    if (status !== 200) throw new Error(JSON.stringify(corpo));
    return { comandos, corpo };
  } finally {
    api.container.db.removeListener('query', anotar);
  }
}

/** Each GET route: a request that shows all there is of a provider, and how much it shows. */
const removidos = (lista: string) => ({
  caminho: () => `/${lista}/removidos?atualizado_desde=2026-01-01T00:00:00Z&por_pagina=100`,
  quantos: (dados: any) => dados.length,
});
const ROTAS_DE_LEITURA: Readonly<
  Record<string, { caminho: (de: Povoado) => string; quantos: (dados: any) => number }>
> = {
  '/status': { caminho: () => '/status', quantos: () => 1 },
  '/clientes': { caminho: () => '/clientes?por_pagina=100', quantos: (dados) => dados.length },
  '/clientes/{id}': { caminho: (de) => `/clientes/${de.cliente}`, quantos: (dados) => dados.contratos.length },
  '/contratos/{id}': { caminho: (de) => `/contratos/${de.contrato}`, quantos: () => 1 },
  '/contratos/{id}/conexao': {
    caminho: (de) => `/contratos/${de.contrato}/conexao`,
    quantos: (dados) => dados.sessoes.length,
  },
  '/faturas': { caminho: () => '/faturas?por_pagina=100', quantos: (dados) => dados.length },
  '/faturas/{id}': { caminho: (de) => `/faturas/${de.fatura}`, quantos: () => 1 },
  '/chamados': { caminho: () => '/chamados?por_pagina=100', quantos: (dados) => dados.length },
  '/chamados/{id}': { caminho: (de) => `/chamados/${de.chamado}`, quantos: () => 1 },
  '/chamados/{id}/historico': {
    caminho: (de) => `/chamados/${de.chamado}/historico`,
    quantos: (dados) => dados.length,
  },
  '/contratos/{id}/desbloqueio-confianca': {
    caminho: (de) => `/contratos/${de.contrato}/desbloqueio-confianca`,
    quantos: () => 1,
  },
  '/resumo': { caminho: (de) => `/resumo?contrato_id=${de.contrato}`, quantos: ([achado]) => achado.contratos.length },
  '/atendimentos/{protocolo}': { caminho: () => '/atendimentos/20261101000000', quantos: () => 1 },
  '/clientes/{id}/atendimentos': {
    caminho: (de) => `/clientes/${de.cliente}/atendimentos?por_pagina=100`,
    quantos: (dados) => dados.length,
  },
  '/avisos': { caminho: () => '/avisos?situacao=todos', quantos: () => 1 },
  '/planos': { caminho: () => '/planos', quantos: (dados) => dados.length },
  '/clientes/removidos': removidos('clientes'),
  '/faturas/removidos': removidos('faturas'),
  '/chamados/removidos': removidos('chamados'),
  '/extratos': { caminho: () => '/extratos?por_pagina=100', quantos: (dados) => dados.length },
};
/** Routes whose answer grows with what a provider has. */
const CRESCEM = [
  '/clientes',
  '/clientes/{id}',
  '/contratos/{id}/conexao',
  '/faturas',
  '/chamados',
  '/chamados/{id}/historico',
  '/resumo',
  '/clientes/{id}/atendimentos',
  '/planos',
  '/extratos',
];

test('as consultas de toda rota GET são conferidas aqui', (t) => {
  // What a file's route asks is in its own test.
  const rotas = ROTAS.filter(({ kind }) => kind === 'read').map(({ path }) => path);
  t.deepEqual(Object.keys(ROTAS_DE_LEITURA).toSorted(), rotas.toSorted());
});

test.serial('GET /status não consulta o banco quando a chave já está em memória', async (t) => {
  t.deepEqual((await comandosDe(um, '/status')).comandos, []);
});

for (const [rota, { caminho, quantos }] of Object.entries(ROTAS_DE_LEITURA).filter(([nome]) => nome !== '/status')) {
  test.serial(`GET ${rota}: o número de comandos SQL não depende de quantas linhas há`, async (t) => {
    const [pouco, muito] = [await comandosDe(um, caminho(um)), await comandosDe(muitos, caminho(muitos))];
    if (CRESCEM.includes(rota)) t.true(quantos(muito.corpo.dados) >= 30 * quantos(pouco.corpo.dados));
    t.true(quantos(pouco.corpo.dados) > 0);
    t.true(pouco.comandos.length > 0);
    t.is(muito.comandos.length, pouco.comandos.length, textos(muito.comandos).join('\n'));
  });
}

for (const lista of ['/clientes', '/faturas', '/chamados']) {
  test.serial(`GET ${lista}: o número de comandos SQL não depende do tamanho da página`, async (t) => {
    // Full pages of a longer list, whose rows are counted once for all.
    const primeira = await comandosDe(muitos, `${lista}?por_pagina=2`);
    const pequena = await comandosDe(muitos, `${lista}?por_pagina=1`);
    const grande = await comandosDe(muitos, `${lista}?por_pagina=90`);
    t.is(pequena.corpo.dados.length, 1);
    t.is(grande.corpo.dados.length, 90);
    t.is(primeira.corpo.paginacao.total, 99);
    t.is(pequena.corpo.paginacao.total, 99);
    t.true(primeira.comandos.length - pequena.comandos.length <= 1);
    t.is(grande.comandos.length, pequena.comandos.length, textos(grande.comandos).join('\n'));
  });
}

function textos(comandos: readonly Comando[]): string[] {
  return comandos.map(({ sql }) => sql);
}

interface Acesso {
  /** Null where MariaDB read no table. */
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

/** How the database reads each stored table of each statement of a request. */
async function acessosDe(caminho: string): Promise<(Acesso & { sql: string })[]> {
  const { comandos } = await comandosDe(milhares, caminho);
  const acessos: (Acesso & { sql: string })[] = [];
  for (const { sql, bindings } of comandos) {
    const [linhas = []] = await api.container.db.raw<Acesso[][]>(`EXPLAIN FORMAT=TRADITIONAL ${sql}`, bindings);
    acessos.push(...linhas.map((linha) => ({ ...linha, sql })));
  }
  // `<derived2>` and the like are the statement's own intermediate results.
  return acessos.filter(({ table }) => table !== null && !table.startsWith('<'));
}

/** No table is read whole: neither its rows nor an index of it from end to end, which would be all tenants' rows. */
const semVarredura = test.macro(async (t, caminho: (de: Povoado) => string) => {
  const acessos = await acessosDe(caminho(milhares));
  t.true(acessos.length > 0);
  for (const { table, type, key, sql } of acessos) {
    t.false(type === 'ALL' || type === 'index' || key === null, `${table} ${type} ${key}: ${sql}`);
  }
});

for (const [rota, { caminho }] of Object.entries(ROTAS_DE_LEITURA).filter(([nome]) => nome !== '/status')) {
  test.serial(`GET ${rota}: nenhuma tabela é lida por inteiro`, semVarredura, caminho);
}

const VENCIMENTO_OU_GRUPO = ['faturas_vencimento', 'faturas_grupo'];
/** Each filter of each list with the indexes that may lead to its rows; where one only, in the list's order too. */
const FILTROS: readonly [lista: string, filtro: string, tabela: string, indices: readonly string[]][] = [
  ['/clientes', '', 'clientes', ['PRIMARY']],
  ['/clientes', 'cpf_cnpj=10000000007', 'clientes', ['clientes_cpf_cnpj']],
  ['/clientes', 'cpf_cnpj=10000000007&situacao=ativo', 'clientes', ['clientes_cpf_cnpj']],
  ['/clientes', 'situacao=ativo', 'clientes', ['clientes_situacao']],
  ['/clientes', 'situacao=bloqueado', 'clientes', ['clientes_situacao']],
  ['/clientes', 'telefone=35990000007', 'clientes_telefones', ['clientes_telefones_busca']],
  ['/clientes', 'telefone=35990000007&situacao=ativo', 'clientes_telefones', ['clientes_telefones_busca']],
  ['/faturas', '', 'faturas', ['faturas_emissao']],
  ['/faturas', 'situacao=todas', 'faturas', ['faturas_emissao']],
  ['/faturas', 'situacao=aberta', 'faturas', ['faturas_grupo']],
  ['/faturas', 'situacao=pendente', 'faturas', VENCIMENTO_OU_GRUPO],
  ['/faturas', 'situacao=vencida', 'faturas', VENCIMENTO_OU_GRUPO],
  ['/faturas', 'situacao=paga', 'faturas', ['faturas_grupo']],
  ['/faturas', 'situacao=cancelada', 'faturas', ['faturas_grupo']],
  ['/faturas', 'situacao=estornada', 'faturas', ['faturas_grupo']],
  ['/faturas', 'cliente_id={cliente}', 'faturas', ['faturas_cliente']],
  ['/faturas', 'cliente_id={cliente}&situacao=aberta', 'faturas', ['faturas_cliente']],
  ['/faturas', 'contrato_id={contrato}', 'faturas', ['faturas_contrato']],
  ['/faturas', 'contrato_id={contrato}&situacao=vencida', 'faturas', ['faturas_contrato']],
  ['/faturas', 'cliente_id={cliente}&contrato_id={contrato}', 'faturas', ['faturas_cliente', 'faturas_contrato']],
  ['/faturas', 'vencimento_de=2026-11-20&vencimento_ate=2026-11-20', 'faturas', ['faturas_vencimento']],
  ['/faturas', 'vencimento_de=2026-11-20', 'faturas', ['faturas_vencimento', 'faturas_emissao']],
  ['/faturas', 'vencimento_ate=2026-11-20', 'faturas', ['faturas_vencimento', 'faturas_emissao']],
  ['/faturas', 'situacao=aberta&vencimento_de=2026-01-01', 'faturas', VENCIMENTO_OU_GRUPO],
  ['/chamados', '', 'chamados', ['chamados_abertura']],
  ['/chamados', 'protocolo=20261101000000', 'chamados', ['chamados_protocolo']],
  ['/chamados', 'situacao=em_aberto', 'chamados', ['chamados_em_aberto']],
  ['/chamados', 'situacao=aberto', 'chamados', ['chamados_situacao']],
  ['/chamados', 'situacao=solucionado', 'chamados', ['chamados_situacao']],
  ['/chamados', 'cliente_id={cliente}', 'chamados', ['chamados_cliente']],
  ['/chamados', 'cliente_id={cliente}&situacao=em_aberto', 'chamados', ['chamados_cliente']],
  ['/chamados', 'contrato_id={contrato}', 'chamados', ['chamados_contrato']],
  ['/chamados', 'contrato_id={contrato}&situacao=aberto', 'chamados', ['chamados_contrato']],
  ['/chamados', 'cliente_id={cliente}&contrato_id={contrato}', 'chamados', ['chamados_cliente', 'chamados_contrato']],
];

for (const [lista, filtro, tabela, indices] of FILTROS) {
  const caminho = (de: Povoado): string =>
    `${lista}?${filtro.replace('{cliente}', String(de.cliente)).replace('{contrato}', String(de.contrato))}`;
  const nome = filtro === '' ? 'sem filtros' : filtro;

  test.serial(`GET ${lista}, ${nome}: nenhuma tabela é lida por inteiro`, semVarredura, caminho);

  test.serial(`GET ${lista}, ${nome}: as linhas são achadas por ${indices.join(' ou ')}`, async (t) => {
    const pagina = (await acessosDe(caminho(milhares))).filter(({ sql }) => sql.includes(' limit ?'));
    const chaves = pagina.filter(({ table }) => table === tabela);
    const achada = chaves.find(({ key }) => indices.includes(key ?? ''));
    t.truthy(achada, JSON.stringify(chaves));
    if (indices.length === 1 && !indices.includes('faturas_vencimento')) t.notRegex(achada?.Extra ?? '', /filesort/);
  });
}

test.serial(
  'GET /faturas, GET /chamados e GET /clientes: uma página distante também não lê tabela inteira',
  async (t) => {
    for (const lista of ['/clientes', '/faturas', '/chamados']) {
      const acessos = await acessosDe(`${lista}?pagina=25&por_pagina=100`);
      for (const { table, type, sql } of acessos)
        t.false(type === 'ALL' || type === 'index', `${table} ${type}: ${sql}`);
    }
  },
);

test.serial('GET /planos: as linhas são achadas por planos_ativos, já em ordem de nome', async (t) => {
  const [acesso] = await acessosDe('/planos');
  t.is(acesso?.key, 'planos_ativos');
  t.notRegex(acesso?.Extra ?? '', /filesort/);
});

test.serial(
  'GET /chamados/{id}/historico: as linhas são achadas por chamados_historico_chamado, já em ordem',
  async (t) => {
    const acessos = await acessosDe(`/chamados/${milhares.chamado}/historico`);
    const historico = acessos.find(({ table }) => table === 'chamados_historico');
    t.is(historico?.key, 'chamados_historico_chamado');
    t.notRegex(historico?.Extra ?? '', /filesort/);
  },
);

test.serial('GET /contratos/{id}/conexao: as sessões são achadas pelo login', async (t) => {
  const acessos = await acessosDe(`/contratos/${milhares.contrato}/conexao`);
  // Of `r`: the list's sessions by the login; the line's one session by the id that `s` finds by the login.
  const das = (nome: string) => acessos.filter(({ table }) => table === nome);
  t.deepEqual(
    das('r')
      .map(({ key }) => key)
      .toSorted((a, b) => String(a).localeCompare(String(b))),
    ['PRIMARY', 'username'],
  );
  t.deepEqual(
    das('s').map(({ key }) => key),
    ['username', 'username'],
  );
  for (const { Extra } of das('s')) t.notRegex(Extra ?? '', /filesort/);
});
