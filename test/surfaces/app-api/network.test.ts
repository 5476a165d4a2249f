import test from 'ava';
import type { ExecutionContext } from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { camposErrados, errosDe, pedirAoApp } from '../../support/app-api.ts';
import type { PedirAoApp } from '../../support/app-api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { CPF, DE_ONDE, criarAssinante } from '../../domain/acessos/apoio.ts';
import { SENHA as SENHA_DA_EQUIPE, criarEquipe } from '../../domain/usuarios/apoio.ts';

/** 12:30 in the provider's zone. */
const AGORA = '2026-11-20T15:30:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let pedir: PedirAoApp;
test.before(async () => {
  api = await criarApi({ relogio });
  pedir = pedirAoApp(api);
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const GIGA = 1_000_000_000;
let serie = 0;

/** A provider with four servers: two at a POP, one that ended all its sessions, and one that nobody heard of. */
async function cenario() {
  const n = (serie += 1);
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor({ nome: 'Serra Azul' });
  const { texto: chave } = await api.criarChave(provedor);
  const dele = await api.container.provedores.exigirPorId(provedor);
  const [um, dois, tres, quatro] = [`10.${n}.0.1`, `10.${n}.0.2`, `10.${n}.0.3`, `10.${n}.0.4`] as const;
  for (const nas of [um, dois, tres, quatro]) await fabrica.nas(provedor, nas);
  for (const [nasname, shortname] of [
    [um, 'beta'],
    [dois, 'alfa'],
    [tres, 'Gama'],
  ]) {
    await api.dono('nas').insert({ nasname, shortname, secret: 'x' });
  }
  const { id: pop } = await api.container.changeTenant(AUTOR, dele, async (_, { pops }) => {
    const feito = await pops.criar({ nome: 'Serra', cidade: 'Alfenas', uf: 'MG', latitude: -21.42, longitude: -45.94 });
    await pops.colocar(um, feito.id);
    await pops.colocar(dois, feito.id);
    await pops.criar({ nome: 'Vazio', cidade: 'Serrania', uf: 'MG' });
    return feito;
  });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor, { nome: 'segredo do cliente' });
  const contrato = async (situacao: string, login: string | null = `linha-${n}-${(serie += 1)}`) =>
    fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, situacao, login });
  const noAr = await contrato('ativo');
  const caida = await contrato('bloqueado');
  await contrato('ativo');
  await contrato('pendente');
  await contrato('cancelado', null);
  const conexao = async (contrato_id: number, linha: object) => fabrica.conexao(provedor, { contrato_id, ...linha });
  await conexao(noAr, { ouvida_em: '2026-11-20 15:29:00', intervalo_segundos: 300, nas: um });
  await conexao(caida, { ouvida_em: null, nas: tres, queda_em: '2026-11-20 15:10:00', queda_nas: tres });
  const sessao = async (nasipaddress: string, linha: object) =>
    fabrica.sessao({ username: `linha-${n}`, nasipaddress, ...linha });
  await sessao(um, { acctstarttime: '2026-11-20 10:00:00', acctupdatetime: '2026-11-20 15:29:00' });
  await sessao(dois, { acctstarttime: '2026-11-19 10:00:00', acctupdatetime: '2026-11-19 11:00:00' });
  const [parada] = await api.dono('radacct').where({ nasipaddress: dois }).pluck('radacctid');
  await api.dono('sessoes_ouvidas').where({ radacctid: parada }).update({ ouvida_em: '2026-11-19 11:00:00' });
  await sessao(tres, {
    acctstarttime: '2026-11-20 14:00:00',
    acctstoptime: '2026-11-20 15:20:00',
    acctterminatecause: 'NAS-Reboot',
  });
  const [viva] = await api.dono('radacct').where({ nasipaddress: um }).pluck('radacctid');
  await api.dono('sessoes_ouvidas').where({ radacctid: viva }).update({ ouvida_em: '2026-11-20 15:29:00' });
  const [fechada] = await api.dono('radacct').where({ nasipaddress: tres }).pluck('radacctid');
  const recente = {
    dita_em: '2026-11-20 15:19:00',
    recebida_em: '2026-11-20 15:19:00',
    ouvida_em: '2026-11-20 15:19:00',
  };
  await api
    .dono('sessoes_ouvidas')
    .insert({ radacctid: fechada, ...recente })
    .onConflict('radacctid')
    .merge();
  const hora = async (tabela: string, linha: object) => api.dono(tabela).insert({ provedor_id: provedor, ...linha });
  for (const [quando, nas, quedas] of [
    ['2026-11-20 15:00:00', tres, 1],
    // The first hour of the local day, and the last of the day before.
    ['2026-11-20 03:00:00', um, 2],
    ['2026-11-20 02:00:00', um, 4],
    ['2026-11-14 03:00:00', um, 8],
    ['2026-11-14 02:00:00', um, 16],
  ] as const) {
    await hora('rede_horas', { hora: quando, nas, quedas });
  }
  for (const [quando, nas, download_bytes, upload_bytes] of [
    ['2026-11-20 15:00:00', um, 4 * GIGA, GIGA],
    ['2026-11-20 15:00:00', tres, GIGA, 0],
    ['2026-11-20 03:00:00', um, 450 * GIGA, 45 * GIGA],
    ['2026-11-20 02:00:00', um, 7 * GIGA, 7],
    ['2026-11-19 12:00:00', um, 5, 5],
  ] as const) {
    await hora('trafego_horario', { hora: quando, nas, download_bytes, upload_bytes });
  }
  await hora('trafego_diario', { contrato_id: noAr, dia: '2026-11-20', download_bytes: 9, upload_bytes: 3 });
  await hora('trafego_diario', { contrato_id: noAr, dia: '2026-11-18', download_bytes: 90, upload_bytes: 30 });
  const ler = async (caminho: string): Promise<Resposta> => pedir('GET', `/network${caminho}`, { chave });
  return { n, fabrica, provedor, dele, chave, um, dois, tres, quatro, pop, noAr, caida, ler };
}

function recusado(t: ExecutionContext, resposta: Resposta, status: number, codigo: string, campo: string | null): void {
  t.deepEqual([resposta.status, errosDe(resposta)[0]], [status, [codigo, campo]], resposta.texto);
}

test.serial('GET /network/overview: a rede em números, por até 10 segundos, e os avisos na hora', async (t) => {
  const c = await cenario();
  const { corpo, texto } = await c.ler('/overview');
  t.deepEqual(corpo.data, {
    contracts: { active: 2, blocked: 1, pending: 1 },
    connections: { online: 1, offline: 1, unknown: 1 },
    drops: { last_hour: 1, today: 3, last_7_days: 15 },
    servers: { total: 4, active: 1, silent: 2 },
    traffic_today: { download_bytes: 455 * GIGA, upload_bytes: 46 * GIGA },
    notices: [],
    as_of: AGORA,
  });
  t.false(texto.includes('segredo'));
  await api.dono('contratos').where({ provedor_id: c.provedor, situacao: 'pendente' }).update({ situacao: 'inativo' });
  relogio.avancar(9000);
  const guardada = await c.ler('/overview');
  t.deepEqual(guardada.corpo.data, corpo.data);
  t.regex(String(guardada.headers.etag), /^"/);
  await api.container.changeTenant(AUTOR, c.dele, async (_, { avisosDeRede }) =>
    avisosDeRede.abrir({ tipo: 'interrupcao', titulo: 'Rompida', texto: 'Já vamos.', alvos: [{ tipo: 'todos' }] }),
  );
  const nova = (await c.ler('/overview')).corpo.data;
  t.like(nova.notices[0], { title: 'Rompida', kind: 'interrupcao', contract_ids: null, ended_at: null });
  t.is(nova.contracts.pending, 0);
  t.is(nova.as_of, '2026-11-20T15:30:09.000Z');
});

test.serial('GET /network/overview: o assinante recebe as suas linhas, e nada das dos outros', async (t) => {
  const c = await criarAssinante(api);
  const { access } = await c.entrar();
  const nas = `10.200.0.${(serie += 1)}`;
  await c.fabrica.nas(c.provedor.id, nas);
  const plano_id = await c.fabrica.plano(c.provedor.id);
  const contrato = await c.fabrica.contrato(c.provedor.id, { cliente_id: c.cliente, plano_id });
  const outro = await c.fabrica.contrato(c.provedor.id, { cliente_id: c.cliente, plano_id });
  const vizinho = await c.fabrica.cliente(c.provedor.id, { cpf_cnpj: '11144477735' });
  await c.fabrica.contrato(c.provedor.id, { cliente_id: vizinho, plano_id });
  await c.fabrica.conexao(c.provedor.id, { contrato_id: contrato, ouvida_em: '2026-11-20 15:29:00', nas });
  await c.fabrica.quedas(c.provedor.id, { contrato_id: contrato, dia: '2026-11-14', quedas: 2 });
  await c.fabrica.quedas(c.provedor.id, { contrato_id: contrato, dia: '2026-11-13', quedas: 5 });
  const headers = { authorization: `Bearer ${access}` };
  const { corpo, texto } = await pedir('GET', '/network/overview', { headers });
  t.deepEqual(
    corpo.data,
    {
      contracts: [
        // A server without a name; its address is nobody's business.
        { id: contrato, connection: 'online', server: { name: null }, drops_7_days: 2 },
        { id: outro, connection: 'desconhecido', server: null, drops_7_days: 0 },
      ],
      notices: [],
      as_of: AGORA,
    },
    texto,
  );
  // Nor is it once FreeRADIUS knows the server's secret, for whom a nameless one has its address as its name.
  await api.container.nas.adicionar(AUTOR, c.provedor.id, { endereco: nas, nome: null, segredo: 'segredo-de-teste' });
  relogio.avancar(11_000);
  t.deepEqual((await pedir('GET', '/network/overview', { headers })).corpo.data.contracts[0].server, { name: null });
  const linha = await pedir('GET', `/contracts/${contrato}/connection`, { headers });
  t.is(linha.status, 200, linha.texto);
  t.false(linha.texto.includes(nas));
  for (const caminho of ['/servers', '/topology', '/traffic']) {
    recusado(t, await pedir('GET', `/network${caminho}`, { headers }), 403, 'permissao_insuficiente', null);
  }
});

test.serial('GET /network/*: a equipe com rede.ver lê, a chave que não tem rede:leitura não', async (t) => {
  const casa = await criarEquipe(api);
  const tecnico = await casa.usuario('tecnico');
  await api.container.usuarios.alterar(TERMINAL, casa.provedor.id, tecnico.id, { cpf: CPF });
  const entrada = { cpf: CPF, senha: SENHA_DA_EQUIPE, ...DE_ONDE, aparelho: null };
  const { access } = await api.container.app.entrarNoApp(casa.provedor, entrada);
  for (const caminho of ['/overview', '/servers', '/topology', '/traffic']) {
    const { status, texto } = await pedir('GET', `/network${caminho}`, {
      headers: { authorization: `Bearer ${access}` },
    });
    t.is(status, 200, texto);
  }
  const { texto: chave } = await api.criarChave(casa.provedor.id, { permissoes: ['clientes:leitura'] });
  recusado(t, await pedir('GET', '/network/overview', { chave }), 403, 'permissao_insuficiente', null);
});

test.serial('GET /network/servers: por nome, com o estado de cada um; os filtros e o cursor', async (t) => {
  const c = await cenario();
  const { corpo, texto } = await c.ler('/servers');
  t.deepEqual(corpo.data[1], {
    address: c.um,
    name: 'beta',
    pop: { id: c.pop, name: 'Serra' },
    status: 'ativo',
    sessions_online: 1,
    contracts: 1,
    drops_last_hour: 0,
    drops_today: 2,
    last_heard_at: '2026-11-20T15:29:00.000Z',
    coa_port: 3799,
    traffic_today: { download_bytes: 454 * GIGA, upload_bytes: 46 * GIGA },
  });
  t.false(texto.includes('secret'));
  t.deepEqual(
    corpo.data.map(({ address, name, status, contracts, drops_last_hour: quedas }: Record<string, unknown>) => [
      address,
      name,
      status,
      contracts,
      quedas,
    ]),
    [
      [c.dois, 'alfa', 'silencioso', 0, 0],
      [c.um, 'beta', 'ativo', 1, 0],
      // It told that it restarted, and nobody began a session since: minutes before two intervals have gone by.
      [c.tres, 'Gama', 'silencioso', 1, 1],
      [c.quatro, null, 'sem_dados', 0, 0],
    ],
  );
  t.deepEqual(corpo.meta, { limit: 20, total: 4, next_cursor: null });
  const nomes = async (consulta: string): Promise<string[]> =>
    (await c.ler(`/servers${consulta}`)).corpo.data.map(({ address }: { address: string }) => address);
  t.deepEqual(await nomes(`?pop_id=${c.pop}`), [c.dois, c.um]);
  t.deepEqual(await nomes('?status=silencioso'), [c.dois, c.tres]);
  t.deepEqual(await nomes('?pop_id=999999'), []);
  const lidos: string[] = [];
  let cursor: string | null = '';
  for (let parte = 0; cursor !== null && parte < 9; parte += 1) {
    const resposta: Resposta = await c.ler(`/servers?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    t.is(resposta.corpo.meta.total, 4);
    lidos.push(resposta.corpo.data[0].address as string);
    cursor = resposta.corpo.meta.next_cursor as string | null;
  }
  t.deepEqual(lidos, [c.dois, c.um, c.tres, c.quatro]);
  t.deepEqual(camposErrados(await c.ler('/servers?status=x&limit=0')), ['limit', 'status']);
});

test.serial('GET /network/topology: uma árvore, do provedor aos POPs e deles aos servidores', async (t) => {
  const c = await cenario();
  const { nodes, links, as_of: em } = (await c.ler('/topology')).corpo.data;
  t.is(em, AGORA);
  t.deepEqual(
    nodes.map(({ id, kind, name, status, online, contracts }: Record<string, unknown>) => [
      id,
      kind,
      name,
      status,
      online,
      contracts,
    ]),
    [
      ['provedor', 'provedor', 'Serra Azul', 'ativo', 1, 2],
      [`pop:${c.pop}`, 'pop', 'Serra', 'ativo', 1, 1],
      [`pop:${c.pop + 1}`, 'pop', 'Vazio', 'sem_dados', 0, 0],
      [`nas:${c.dois}`, 'servidor', 'alfa', 'silencioso', 0, 0],
      [`nas:${c.um}`, 'servidor', 'beta', 'ativo', 1, 1],
      [`nas:${c.tres}`, 'servidor', 'Gama', 'silencioso', 0, 1],
      [`nas:${c.quatro}`, 'servidor', null, 'sem_dados', 0, 0],
    ],
  );
  t.like(nodes[1], { city: 'Alfenas', state: 'MG', latitude: -21.42, longitude: -45.94 });
  t.like(nodes[4], { city: null, latitude: null });
  t.deepEqual(links, [
    { from: 'provedor', to: `pop:${c.pop}` },
    { from: 'provedor', to: `pop:${c.pop + 1}` },
    { from: `pop:${c.pop}`, to: `nas:${c.dois}` },
    { from: `pop:${c.pop}`, to: `nas:${c.um}` },
    { from: 'provedor', to: `nas:${c.tres}` },
    { from: 'provedor', to: `nas:${c.quatro}` },
  ]);
});

test.serial('GET /network/traffic: por hora, sem buracos; a soma da série é o total', async (t) => {
  const c = await cenario();
  const { interval, totals, series } = (await c.ler('/traffic')).corpo.data;
  t.is(interval, 'hour');
  t.is(series.length, 25, 'a hora em que se está e as 24 de antes');
  t.is(series[0].at, '2026-11-19T15:00:00.000Z');
  t.deepEqual(series[12], {
    at: '2026-11-20T03:00:00.000Z',
    download_bytes: 450 * GIGA,
    upload_bytes: 45 * GIGA,
    download_mbps: 1000,
    upload_mbps: 100,
  });
  t.like(series[13], { download_bytes: 0, upload_mbps: 0 });
  t.deepEqual(totals, { download_bytes: 462 * GIGA, upload_bytes: 46 * GIGA + 7 });
  const parte = '?from=2026-11-20T03:00:00.000Z&to=2026-11-20T04:00:00.000Z';
  const soUma = (await c.ler(`/traffic${parte}`)).corpo.data;
  t.deepEqual([soUma.series.length, soUma.totals.download_bytes], [1, 450 * GIGA]);
  const doTerceiro = (await c.ler(`/traffic?server=${c.tres}`)).corpo.data;
  t.deepEqual(doTerceiro.totals, { download_bytes: GIGA, upload_bytes: 0 });
});

test.serial('GET /network/traffic: por dia do provedor, de todos e de um contrato', async (t) => {
  const c = await cenario();
  const tres = '?from=2026-11-18T12:00:00Z&interval=day';
  const dias = (await c.ler(`/traffic${tres}`)).corpo.data;
  t.deepEqual(
    dias.series.map(({ at, download_bytes: bytes }: Record<string, unknown>) => [at, bytes]),
    [
      ['2026-11-18T03:00:00.000Z', 0],
      ['2026-11-19T03:00:00.000Z', 7 * GIGA + 5],
      ['2026-11-20T03:00:00.000Z', 455 * GIGA],
    ],
  );
  const doContrato = (await c.ler(`/traffic?from=2026-11-18T12:00:00Z&contract_id=${c.noAr}`)).corpo.data;
  t.is(doContrato.interval, 'day');
  t.deepEqual(
    doContrato.series.map(({ download_bytes: bytes }: { download_bytes: number }) => bytes),
    [90, 0, 9],
  );
  t.deepEqual(doContrato.totals, { download_bytes: 99, upload_bytes: 33 });
});

test.serial('GET /network/traffic: o que não se pode pedir', async (t) => {
  const c = await cenario();
  const errada = async (consulta: string, campo: string) =>
    recusado(t, await c.ler(`/traffic?${consulta}`), 400, 'parametro_invalido', campo);
  await errada('from=2026-10-20T15:29:59Z', 'from');
  t.is((await c.ler('/traffic?from=2026-10-20T15:30:00Z')).status, 200, '31 dias');
  await errada('from=2025-10-16T15:29:59Z&interval=day', 'from');
  t.is((await c.ler('/traffic?from=2025-10-16T15:30:00Z&interval=day')).corpo.data.series.length, 401);
  await errada('from=2025-10-01T00:00:00Z&to=2025-10-02T00:00:00Z', 'from');
  await errada('from=2026-11-20T10:00:00Z&to=2026-11-20T10:00:00Z', 'from');
  await errada('from=2026-11-21T10:00:00Z', 'from');
  await errada('from=ontem', 'from');
  await errada(`interval=hour&contract_id=${c.noAr}`, 'interval');
  await errada(`server=${c.um}&contract_id=${c.noAr}`, 'server');
  const outro = await cenario();
  recusado(t, await c.ler(`/traffic?contract_id=${outro.noAr}`), 404, 'nao_encontrado', null);
  recusado(t, await c.ler(`/traffic?server=${outro.um}`), 404, 'nao_encontrado', null);
  t.is((await c.ler('/traffic?to=2027-01-01T00:00:00Z')).corpo.data.series.length, 25, 'até agora');
});
