import test from 'ava';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { createTesteDeCoaService } from '../../../src/domain/rede/sessoes/teste-de-coa.service.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { criarNas } from '../../support/nas-coa.ts';
import type { RespostaDoNas } from '../../support/nas-coa.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:30:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function mudar<T>(provedor: number, fazer: (escritas: Escritas) => Promise<T>): Promise<T> {
  const dele = await api.container.provedores.exigirPorId(provedor);
  return api.container.changeTenant(AUTOR, dele, async (_, escritas) => fazer(escritas));
}

async function ler<T>(provedor: number, fazer: (dominio: Dominio) => Promise<T>): Promise<T> {
  const dele = await api.container.provedores.exigirPorId(provedor);
  return api.container.changeTenant(AUTOR, dele, async (dominio) => fazer(dominio));
}

const agregar = async () => createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 }).agregarMudancas();

const eventos = async (provedor: number): Promise<string[]> =>
  (await api.dono('auditoria').where('provedor_id', provedor).orderBy('id').select('acao')).map(({ acao }) => acao);

let serie = 0;

/** A provider of two servers; four contracts, of which three are online at the first. */
async function cenario() {
  const n = (serie += 1);
  const [um, dois] = [`10.${n}.0.1`, `10.${n}.0.2`] as const;
  const provedor = await fabrica.provedor();
  await fabrica.nas(provedor, um);
  await fabrica.nas(provedor, dois);
  const plano = await fabrica.plano(provedor);
  const outroPlano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contratos: number[] = [];
  for (const [i, cidade] of ['Alfenas', 'Alfenas', 'Serrania', 'Serrania'].entries()) {
    contratos.push(
      await fabrica.contrato(provedor, {
        cliente_id: cliente,
        plano_id: i === 3 ? outroPlano : plano,
        login: `linha-${n}-${i}`,
        cidade,
        bairro: 'Centro',
      }),
    );
  }
  const sessao = async (i: number, linha: object = {}) =>
    fabrica.sessao({
      username: `linha-${n}-${i}`,
      nasipaddress: um,
      acctstarttime: '2026-11-20 15:10:00',
      acctupdatetime: '2026-11-20 15:28:00',
      acctoutputoctets: 3_000_000,
      acctinputoctets: 1_000_000,
      framedipaddress: `100.64.0.${i}`,
      ...linha,
    });
  for (const i of [0, 1, 2]) await sessao(i);
  await agregar();
  return {
    n,
    provedor,
    um,
    dois,
    plano,
    outroPlano,
    cliente,
    contratos,
    sessao,
    login: (i: number) => `linha-${n}-${i}`,
  };
}

test.serial('os servidores dizem quem está online, quem caiu na última hora e quanto passou', async (t) => {
  const c = await cenario();
  await api.dono('radacct').where('username', c.login(1)).update({
    acctstoptime: '2026-11-20 15:29:00',
    acctterminatecause: 'Lost-Carrier',
    acctoutputoctets: 5_000_000,
  });
  await agregar();
  await agregar();
  await api.dono('trafego_horario').insert({
    provedor_id: c.provedor,
    hora: '2026-11-20 15:00:00',
    nas: c.um,
    download_bytes: 11_000_000,
    upload_bytes: 3_000_000,
  });
  const { servidores, totais } = await ler(c.provedor, async ({ rede }) => rede.panorama());
  t.like(servidores[0], { endereco: c.um, online: 2, offline: 1, quedas1h: 1 });
  t.like(servidores[1], { endereco: c.dois, online: 0, offline: 0, quedas1h: 0, estado: 'sem_noticia', trafego: null });
  // In bits, over 30 minutes of this hour.
  t.is(servidores[0]?.trafego?.download, Math.round((11_000_000 * 8) / 1800));
  t.like(totais, { online: 2, offline: 1, quedas1h: 1, trafegoHoje: { download: 11_000_000, upload: 3_000_000 } });
});

test.serial('uma linha que cai duas vezes conta duas na hora, e recalcular não conta de novo', async (t) => {
  const c = await cenario();
  const caiu = { acctterminatecause: 'Lost-Carrier', acctupdatetime: null };
  await c.sessao(3, { ...caiu, acctstarttime: '2026-11-20 13:00:00', acctstoptime: '2026-11-20 13:40:00' });
  await agregar();
  await c.sessao(3, { ...caiu, acctstarttime: '2026-11-20 15:00:00', acctstoptime: '2026-11-20 15:05:00' });
  await agregar();
  await createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 }).agregarTudo(c.provedor);
  await createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 }).medirOnline();
  const dia = await ler(c.provedor, async ({ rede }) => rede.serie('24h'));
  t.is(dia.pontos.length, 24);
  t.like(dia.pontos.at(-1), { quedas: 1, online: 3 });
  t.like(dia.pontos.at(-3), { quedas: 1, online: null });
  t.deepEqual(dia.porServidor[0], { nas: c.um, quedas: 2 });
  const bytes = { provedor_id: c.provedor, download_bytes: 4_500_000, upload_bytes: 0 };
  for (const hora of ['2026-11-20 13:00:00', '2026-11-20 15:00:00']) {
    await api.dono('trafego_horario').insert([
      { ...bytes, hora, nas: c.um },
      { ...bytes, hora, nas: c.dois },
    ]);
  }
  const mes = await ler(c.provedor, async ({ rede }) => rede.serie('31d', c.um));
  t.is(mes.pontos.length, 31);
  t.like(mes.pontos.at(-1), { quedas: 2, online: 3, download: 9_000_000 });
  const semana = await ler(c.provedor, async ({ rede }) => rede.serie('7d', c.dois));
  t.is(semana.pontos.length, 168);
  t.is(
    semana.pontos.reduce((soma, { quedas }) => soma + quedas, 0),
    0,
  );
});

test.serial('quem está online é listado por servidor, plano e cidade, página a página', async (t) => {
  const c = await cenario();
  const online = async (filtro: object, limite = 10) =>
    (await ler(c.provedor, async ({ rede }) => rede.online(filtro, limite))).map(({ contratoId }) => contratoId);
  t.deepEqual(await online({}), c.contratos.slice(0, 3));
  t.deepEqual(await online({ nas: c.um, depoisDe: c.contratos[0] }, 1), [c.contratos[1]]);
  t.deepEqual(await online({ nas: c.dois }), []);
  t.deepEqual(await online({ cidade: 'Serrania' }), [c.contratos[2]]);
  t.deepEqual(await online({ planoId: c.outroPlano }), []);
  const todos: number[] = [];
  await ler(c.provedor, async ({ rede }) => {
    for await (const { contratoId } of rede.todosOnline({ cidade: 'Alfenas' })) todos.push(contratoId);
  });
  t.is(todos.length, 2);
  const outro = await cenario();
  t.is((await ler(outro.provedor, async ({ rede }) => rede.online({}, 10))).length, 3);
});

test.serial('um aviso diz antes quem cobre, e cobre por servidor, POP, plano, cidade e bairro', async (t) => {
  const c = await cenario();
  const pop = await mudar(c.provedor, async ({ pops }) => {
    const { id } = await pops.criar({
      nome: 'Serra',
      cidade: 'Alfenas',
      uf: 'mg',
      latitude: '-21,42',
      longitude: -45.94,
    });
    t.true(await pops.colocar(c.um, id));
    t.false(await pops.colocar(c.um, id));
    return id;
  });
  const previa = async (...alvos: object[]) =>
    (await ler(c.provedor, async ({ avisosDeRede }) => avisosDeRede.previa(alvos))).contratos;
  t.is(await previa({ tipo: 'nas', nas: c.um }), 3);
  t.is(await previa({ tipo: 'pop', id: pop }), 3);
  t.is(await previa({ tipo: 'plano', id: c.outroPlano }), 1);
  t.is(await previa({ tipo: 'cidade', cidade: 'Serrania' }), 2);
  t.is(await previa({ tipo: 'bairro', cidade: 'Alfenas', bairro: 'Centro' }), 2);
  t.is(await previa({ tipo: 'nas', nas: c.um }, { tipo: 'cidade', cidade: 'Serrania' }), 4);
  t.is(await previa({ tipo: 'todos' }, { tipo: 'cidade', cidade: 'Serrania' }), 4);
  const cobrem = async (i: number) =>
    (await ler(c.provedor, async ({ avisosDeRede }) => avisosDeRede.doContrato(c.contratos[i]!))).length;
  for (const [alvo, quais] of [
    [{ tipo: 'nas', nas: c.um }, [1, 1, 1, 0]],
    [{ tipo: 'pop', id: pop }, [1, 1, 1, 0]],
    [{ tipo: 'plano', id: c.outroPlano }, [0, 0, 0, 1]],
    [{ tipo: 'cidade', cidade: 'serrania' }, [0, 0, 1, 1]],
    [{ tipo: 'bairro', cidade: 'Alfenas', bairro: 'Centro' }, [1, 1, 0, 0]],
    [{ tipo: 'todos' }, [1, 1, 1, 1]],
  ] as const) {
    const { id } = await mudar(c.provedor, async ({ avisosDeRede }) =>
      avisosDeRede.abrir({ tipo: 'interrupcao', titulo: 'Fibra rompida', texto: 'Equipe a caminho.', alvos: [alvo] }),
    );
    t.deepEqual(await Promise.all([0, 1, 2, 3].map(cobrem)), [...quais], alvo.tipo);
    const doNas = await ler(c.provedor, async ({ avisosDeRede }) => avisosDeRede.doNas(c.um));
    t.is(doNas.length, ['nas', 'pop', 'todos'].includes(alvo.tipo) ? 1 : 0, alvo.tipo);
    if (alvo.tipo === 'pop') {
      const emUso = await t.throwsAsync(
        mudar(c.provedor, async ({ pops }) => pops.remover(pop)),
        { instanceOf: Recusa },
      );
      t.is(emUso?.motivo, 'pop_em_uso');
    }
    await mudar(c.provedor, async ({ avisosDeRede }) => avisosDeRede.encerrar(id));
    t.is(await cobrem(0), 0);
  }
  await mudar(c.provedor, async ({ pops }) => {
    t.deepEqual(await pops.alterar(pop, { nome: 'Morro', uf: 'MG' }), ['nome']);
    await pops.colocar(c.um, null);
    await pops.remover(pop);
  });
  t.deepEqual(await ler(c.provedor, async ({ rede }) => rede.pops()), []);
  const ditos = new Set(await eventos(c.provedor));
  for (const tipo of [
    'pop.criado',
    'pop.alterado',
    'pop.removido',
    'nas.mudou_de_pop',
    'rede.aviso_aberto',
    'rede.aviso_encerrado',
  ]) {
    t.true(ditos.has(tipo), tipo);
  }
});

test.serial('um aviso aberto muda de texto e de previsão; encerrado, não muda mais', async (t) => {
  const c = await cenario();
  const novo = { tipo: 'manutencao', titulo: 'Troca de fonte', texto: 'De madrugada.', alvos: [{ tipo: 'todos' }] };
  const { id } = await mudar(c.provedor, async ({ avisosDeRede }) =>
    avisosDeRede.abrir({ ...novo, inicio: '2026-11-21T05:00:00Z', previsao: '2026-11-21T07:00:00Z' }),
  );
  const [aberto] = await ler(c.provedor, async ({ avisosDeRede }) => avisosDeRede.abertos());
  t.like(aberto, { id, situacao: 'agendado', origem: 'equipe', alvos: [{ tipo: 'todos' }] });
  relogio.definir('2026-11-21T05:10:00.000Z');
  const versao = aberto!.atualizadoEm.toISOString();
  t.deepEqual(
    await mudar(c.provedor, async ({ avisosDeRede }) =>
      avisosDeRede.alterar(id, { texto: 'Atrasou.', previsao: null, atualizado_em: versao }),
    ),
    ['texto', 'previsao'],
  );
  const velha = mudar(c.provedor, async ({ avisosDeRede }) =>
    avisosDeRede.alterar(id, { texto: 'Outra vez.', atualizado_em: versao }),
  );
  t.is((await t.throwsAsync(velha, { instanceOf: Recusa }))?.motivo, 'versao_divergente');
  await mudar(c.provedor, async ({ avisosDeRede }) => avisosDeRede.encerrar(id, { fim: '2026-11-21T05:05:00Z' }));
  const depois = mudar(c.provedor, async ({ avisosDeRede }) => avisosDeRede.alterar(id, { texto: 'Tarde demais.' }));
  t.is((await t.throwsAsync(depois, { instanceOf: Recusa }))?.motivo, 'aviso_encerrado');
  const listar = async (situacao: 'abertos' | 'encerrados') =>
    (await ler(c.provedor, async ({ avisosDeRede }) => avisosDeRede.listar({ situacao }, 10))).length;
  t.deepEqual([await listar('abertos'), await listar('encerrados')], [0, 1]);
  const outro = await cenario();
  t.is(await ler(outro.provedor, async ({ avisosDeRede }) => avisosDeRede.buscar(id)), null);
});

test.serial('alvos que não são do provedor, e campos errados, são ditos todos de uma vez', async (t) => {
  const c = await cenario();
  const outro = await cenario();
  const alvos = [
    { tipo: 'nas', nas: outro.um },
    { tipo: 'plano', id: outro.plano },
    { tipo: 'pop', id: 1_000_000 },
  ];
  const abrir = async (dados: object) =>
    t.throwsAsync(
      mudar(c.provedor, async ({ avisosDeRede }) => avisosDeRede.abrir(dados)),
      { instanceOf: CamposInvalidos },
    );
  const base = { tipo: 'informativo', titulo: 'Título', texto: 'Texto.' };
  const campos = (erro?: CamposInvalidos) => erro?.faltas.map(({ campo }) => campo);
  t.deepEqual(campos(await abrir({ ...base, alvos })), ['alvos.0.nas', 'alvos.1.id', 'alvos.2.id']);
  t.deepEqual(campos(await abrir({ ...base, tipo: 'x', alvos: [{ tipo: 'cidade' }] })), ['tipo', 'alvos.0.cidade']);
  t.deepEqual(campos(await abrir({ ...base, alvos: [] })), ['alvos']);
  t.deepEqual(campos(await abrir({ ...base, alvos: [{ tipo: 'todos' }], previsao: '2026-11-20T15:00:00Z' })), [
    'previsao',
  ]);
});

test.serial('a linha de um contrato conta sessões, quedas com causa e tráfego por dia', async (t) => {
  const c = await cenario();
  await c.sessao(3, {
    acctstarttime: '2026-11-19 02:00:00',
    acctupdatetime: null,
    acctstoptime: '2026-11-19 04:00:00',
    acctterminatecause: 'Lost-Carrier',
  });
  await api.dono('trafego_diario').insert({
    provedor_id: c.provedor,
    contrato_id: c.contratos[3],
    dia: '2026-11-19',
    download_bytes: 500,
    upload_bytes: 50,
  });
  await agregar();
  const linha = await ler(c.provedor, async ({ linhas }) => linhas.historico(c.contratos[3]!));
  t.like(linha?.sessoes, [
    { estado: 'encerrada', causa: 'lost_carrier', queda: true, nas: c.um, ip: '100.64.0.3', duracaoSegundos: 7200 },
  ]);
  t.is(linha?.quedas.length, 30);
  t.deepEqual(linha?.quedas.at(-2), { dia: '2026-11-19', quedas: 1, causas: [{ causa: 'lost_carrier', vezes: 1 }] });
  t.deepEqual(linha?.trafego?.at(-2), { dia: '2026-11-19', download: 500, upload: 50 });
  t.deepEqual(linha?.trafego?.at(-1), { dia: '2026-11-20', download: 0, upload: 0 });
  const aberta = await ler(c.provedor, async ({ linhas }) => linhas.historico(c.contratos[0]!));
  t.like(aberta?.sessoes, [{ estado: 'aberta', fim: null, download: 3_000_000 }]);
  const outro = await cenario();
  t.is(await ler(outro.provedor, async ({ linhas }) => linhas.historico(c.contratos[0]!)), null);
});

test.serial('a equipe encerra a sessão de um contrato online, uma vez a cada dois minutos', async (t) => {
  const c = await cenario();
  const desconectar = async (i: number) =>
    mudar(c.provedor, async ({ desconexoes }) => desconexoes.desconectar(c.contratos[i]!));
  const motivo = async (i: number) => (await t.throwsAsync(desconectar(i), { instanceOf: Recusa }))?.motivo;
  t.is((await desconectar(0)).sessoes, 1);
  t.like(await api.dono('rede_desconexoes').where('provedor_id', c.provedor), [
    { contrato_id: c.contratos[0], estado: 'pendente', alterar_para: null },
  ]);
  t.is(await motivo(0), 'desconexao_recente');
  t.is(await motivo(3), 'contrato_offline');
  relogio.avancar(121_000);
  t.is((await desconectar(0)).sessoes, 1);
  t.is((await eventos(c.provedor)).filter((acao) => acao === 'conexao.desconectada').length, 2);
});

for (const [responder, resposta, causa] of [
  ['ack', 'ack', null],
  [{ nak: 503 }, 'nak', 503],
  ['nada', 'nada', null],
] as const satisfies readonly (readonly [RespostaDoNas, string, number | null])[]) {
  test.serial(`o teste da porta de CoA diz o que o NAS respondeu: ${resposta}`, async (t) => {
    const db = api.dono;
    const provedor = await fabrica.provedor();
    const endereco = `127.0.9.${(serie += 1)}`;
    const nas = await criarNas(endereco, 'so-o-nas-sabe', responder);
    t.teardown(() => nas.fechar());
    await db('provedores_nas').insert({ provedor_id: provedor, nasipaddress: endereco, porta_coa: nas.porta });
    const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
    const timeoutMs = resposta === 'nada' ? 300 : 15_000;
    const teste = createTesteDeCoaService({ db, write, perguntar: createNasClient({ timeoutMs }) });
    t.is((await teste.testar(AUTOR, provedor, endereco)).resposta, 'sem_segredo');
    t.is(nas.recebidos.length, 0);
    await db('nas').insert({ nasname: endereco, secret: 'so-o-nas-sabe' });
    t.deepEqual(await teste.testar(AUTOR, provedor, endereco), { resposta, causa, porta: nas.porta });
    t.like(nas.recebidos, [{ codigo: 40, assinado: true }]);
    t.deepEqual(await eventos(provedor), ['nas.coa_testado', 'nas.coa_testado']);
    const outro = await fabrica.provedor();
    const alheio = teste.testar(AUTOR, outro, endereco);
    t.is((await t.throwsAsync(alheio, { instanceOf: Recusa }))?.motivo, 'nao_encontrado');
  });
}

test.serial('um NAS muda de porta e de nome sem que se diga o segredo; um novo o exige', async (t) => {
  const c = await cenario();
  const { nas } = api.container;
  const endereco = `10.${c.n}.9.9`;
  await t.throwsAsync(nas.adicionar(AUTOR, c.provedor, { endereco, nome: 'bng-9' }), { message: /segredo/ });
  await nas.adicionar(AUTOR, c.provedor, { endereco, nome: 'bng-9', segredo: 'guardado' });
  await nas.adicionar(AUTOR, c.provedor, { endereco, nome: 'bng-9b', portaCoa: 1700 });
  const [linha] = await api.dono('nas').where('nasname', endereco);
  t.like(linha, { secret: 'guardado', shortname: 'bng-9b' });
  const lista = await nas.listar(c.provedor);
  t.like(
    lista.find((um) => um.endereco === endereco),
    { portaCoa: 1700, nome: 'bng-9b', temSegredo: true },
  );
  t.false(JSON.stringify(lista).includes('guardado'));
});
