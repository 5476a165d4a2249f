import test from 'ava';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createAplicacaoService } from '../../../src/domain/rede/aplicacao/aplicacao.service.ts';
import { createDesconexaoService } from '../../../src/domain/rede/sessoes/desconexao.service.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarNas } from '../../support/nas-coa.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// Friday noon in São Paulo.
const AGORA = '2026-11-20T15:00:00.000Z';
const HABILITADO = { desbloqueio_habilitado: 1, desbloqueio_dias: 3 };
const BLOQUEADO = { situacao: 'bloqueado', bloqueio_origem: 'financeiro', bloqueado_em: '2026-11-15 03:00:00.000' };

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

type Linha = Record<string, unknown>;

/** A provider with a blocked contract whose invoice is overdue, and a key that may unblock. */
async function cenario({ regras = {}, contrato = {}, provedor = {} }: Record<string, Linha> = {}) {
  const provedorId = await fabrica.provedor(provedor, { ...HABILITADO, ...regras });
  const plano_id = await fabrica.plano(provedorId);
  const cliente = await fabrica.cliente(provedorId);
  const id = await fabrica.contrato(provedorId, { cliente_id: cliente, plano_id, ...BLOQUEADO, ...contrato });
  const fatura = await fabrica.fatura(provedorId, {
    cliente_id: cliente,
    contrato_id: id,
    vencimento: '2026-11-10',
  });
  const { texto: chave, id: chaveId } = await api.criarChave(provedorId, { nome: 'chatbot' });
  return { provedor: provedorId, cliente, plano: plano_id, contrato: id, fatura, chave, chaveId };
}
type Cenario = Awaited<ReturnType<typeof cenario>>;

async function pedir({ contrato, chave }: Pick<Cenario, 'contrato' | 'chave'>, corpo?: unknown, processo = 0) {
  return api.pedir('POST', `/contratos/${contrato}/desbloqueio-confianca`, {
    chave,
    processo,
    ...(corpo === undefined ? {} : { corpo: JSON.stringify(corpo), headers: { 'content-type': 'application/json' } }),
  });
}

async function ler({ contrato, chave }: Pick<Cenario, 'contrato' | 'chave'>, processo = 0): Promise<any> {
  return (await api.get(`/contratos/${contrato}`, { chave, processo })).corpo.dados;
}

type Rastros = Record<'desbloqueios' | 'historico' | 'auditoria' | 'eventos' | 'rede', any[]>;

/** Everything that an unblock leaves behind. */
async function rastros({ provedor }: Pick<Cenario, 'provedor'>): Promise<Rastros> {
  const { db } = api.container;
  const doProvedor = { provedor_id: provedor };
  return {
    desbloqueios: await db('desbloqueios_confianca').where(doProvedor).orderBy('id'),
    historico: await db('contratos_historico').where(doProvedor).orderBy('id'),
    auditoria: await db('auditoria').where(doProvedor).whereNot('recurso', 'chave').orderBy('id'),
    eventos: await db('eventos').where(doProvedor).whereNot('tipo', 'chave.criada').orderBy('id'),
    rede: await db('rede_pedidos').where(doProvedor).orderBy('id'),
  };
}

const contagens = async (de: Pick<Cenario, 'provedor'>): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await rastros(de)).map(([nome, linhas]) => [nome, linhas.length]));

const NADA = { desbloqueios: 0, historico: 0, auditoria: 0, eventos: 0, rede: 0 };
const UM = { desbloqueios: 1, historico: 1, auditoria: 1, eventos: 1, rede: 1 };

function recusada(t: { like: (a: unknown, b: object) => void }, resposta: Resposta, status: number, codigo: string) {
  t.like({ status: resposta.status, codigo: resposta.corpo.erro?.codigo }, { status, codigo });
}

test.serial(
  '201 com contrato_id, dias, protocolo, o que a rede fez e ate, às 23:59:59.999 do dia local que vem dias depois de hoje',
  async (t) => {
    const c = await cenario();
    const { status, corpo } = await pedir(c);
    t.is(status, 201);
    t.deepEqual(corpo, {
      sucesso: true,
      dados: {
        contrato_id: c.contrato,
        dias: 3,
        ate: '2026-11-24T02:59:59.999Z',
        protocolo: '20261120000001',
        rede: { situacao: 'pendente', em: AGORA },
      },
    });
  },
);

test.serial('os dias são os das regras do provedor, e o dia é o do seu fuso', async (t) => {
  const c = await cenario({ regras: { desbloqueio_dias: 10 }, provedor: { fuso_horario: 'America/Rio_Branco' } });
  // Still the 20th in Acre (UTC-5), already the 21st in UTC.
  relogio.definir('2026-11-21T04:30:00.000Z');
  t.like((await pedir(c)).corpo.dados, {
    dias: 10,
    ate: '2026-12-01T04:59:59.999Z',
    protocolo: '20261120000001',
  });
});

test.serial(
  'o contrato fica ativo, sem bloqueado_em, com o desbloqueio em vigor, logo e em todo processo',
  async (t) => {
    const c = await cenario();
    for (const processo of [0, 1]) {
      t.like(await ler(c, processo), {
        situacao: 'bloqueado',
        bloqueado_em: '2026-11-15T03:00:00.000Z',
        desbloqueio_confianca: { ativo: false, ate: null },
      });
    }
    await pedir(c);
    for (const processo of [0, 1]) {
      t.like(await ler(c, processo), {
        situacao: 'ativo',
        bloqueado_em: null,
        desbloqueio_confianca: { ativo: true, ate: '2026-11-24T02:59:59.999Z' },
      });
    }
    const { dados } = (await api.get(`/clientes/${c.cliente}`, { chave: c.chave, processo: 1 })).corpo;
    t.is(dados.contratos[0].situacao, 'ativo');
  },
);

test.serial('o fim é julgado pelo tempo em cada leitura, mesmo sem tarefa nenhuma', async (t) => {
  const c = await cenario();
  await pedir(c);
  relogio.definir('2026-11-24T02:59:59.999Z');
  t.true((await ler(c)).desbloqueio_confianca.ativo);
  relogio.definir('2026-11-24T03:00:00.000Z');
  t.deepEqual((await ler(c)).desbloqueio_confianca, { ativo: false, ate: null });
});

test.serial('ficam o desbloqueio, o histórico, a auditoria, o evento e o pedido à rede, um de cada', async (t) => {
  const c = await cenario();
  await pedir(c, { motivo: 'Pagamento agendado.' });
  const { desbloqueios, historico, auditoria, eventos, rede } = await rastros(c);
  t.like(desbloqueios, [
    {
      contrato_id: c.contrato,
      fatura_causa_id: c.fatura,
      chave_id: c.chaveId,
      dias: 3,
      motivo: 'Pagamento agendado.',
      aplicado_em: '2026-11-20 15:00:00.000',
      ate: '2026-11-24 02:59:59.999',
      encerrado_em: null,
    },
  ]);
  t.like(historico, [
    {
      contrato_id: c.contrato,
      acao: 'desbloqueio_confianca',
      descricao: 'Desbloqueio de confiança por 3 dias. Motivo: Pagamento agendado.',
      autor: 'chatbot',
      ocorrido_em: '2026-11-20 15:00:00.000',
    },
  ]);
  t.like(auditoria, [
    {
      acao: 'contrato.desbloqueado',
      recurso: 'contrato',
      recurso_id: c.contrato,
      chave_id: c.chaveId,
      autor: 'chatbot',
      ip: '127.0.0.1',
    },
  ]);
  t.like(eventos, [{ tipo: 'contrato.desbloqueado', recurso_id: c.contrato }]);
  t.like(rede, [{ contrato_id: c.contrato, acao: 'liberar', aplicado_em: null }]);
  t.deepEqual(await contagens(c), UM);
});

test.serial('motivo é opcional, tem até 500 caracteres, e um corpo vazio serve', async (t) => {
  for (const corpo of [undefined, {}, { motivo: '' }, { motivo: 'é'.repeat(500) }, { motivo: '😀'.repeat(500) }]) {
    t.is((await pedir(await cenario(), corpo)).status, 201);
  }
  const c = await cenario();
  for (const corpo of [{ motivo: 'x'.repeat(501) }, { motivo: null }, { motivo: 7 }, { outro: 'x' }, [], null, 'x']) {
    recusada(t, await pedir(c, corpo), 400, 'parametro_invalido');
  }
  t.deepEqual(await contagens(c), NADA);
});

test.serial('um motivo em branco é como nenhum, e um com pontas é guardado aparado', async (t) => {
  for (const [motivo, guardado] of [
    ['', null],
    [' \u200b\n', null],
    ['\u3164', null],
    [' Vai pagar.\u00a0', 'Vai pagar.'],
    [`  ${'é'.repeat(500)}  `, 'é'.repeat(500)],
  ] as const) {
    const c = await cenario();
    t.is((await pedir(c, { motivo })).status, 201, JSON.stringify(motivo).slice(0, 40));
    const [row] = await api.container.db('desbloqueios_confianca').where({ contrato_id: c.contrato }).select('motivo');
    t.deepEqual({ ...row }, { motivo: guardado });
  }
});

test.serial('contrato desconhecido, ou de outro provedor, é 404 antes de qualquer regra', async (t) => {
  const c = await cenario({ regras: { desbloqueio_habilitado: 0 } });
  const alheio = await cenario();
  for (const contrato of [alheio.contrato, 9_007_199_254_740_991]) {
    recusada(t, await pedir({ contrato, chave: c.chave }), 404, 'nao_encontrado');
  }
  t.deepEqual(await contagens(alheio), NADA);
});

test.serial('422 desbloqueio_desabilitado: o provedor não o habilitou', async (t) => {
  const c = await cenario({ regras: { desbloqueio_habilitado: 0 } });
  recusada(t, await pedir(c), 422, 'desbloqueio_desabilitado');
  t.deepEqual(await contagens(c), NADA);
});

for (const situacao of ['pendente', 'ativo', 'inativo', 'cancelado', 'cancelado_definitivo']) {
  test.serial(`422 contrato_nao_bloqueado: ${situacao}`, async (t) => {
    const c = await cenario({ contrato: { situacao, bloqueio_origem: null, bloqueado_em: null } });
    recusada(t, await pedir(c), 422, 'contrato_nao_bloqueado');
    t.deepEqual(await contagens(c), NADA);
  });
}

test.serial('422 bloqueio_manual: o provedor bloqueou à mão', async (t) => {
  const c = await cenario({ contrato: { bloqueio_origem: 'manual' } });
  recusada(t, await pedir(c), 422, 'bloqueio_manual');
  t.deepEqual(await contagens(c), NADA);
});

test.serial('409 desbloqueio_ativo: já há um em vigor, até o seu último instante', async (t) => {
  const c = await cenario();
  t.is((await pedir(c)).status, 201);
  recusada(t, await pedir(c), 409, 'desbloqueio_ativo');
  relogio.definir('2026-11-24T02:59:59.999Z');
  recusada(t, await pedir(c), 409, 'desbloqueio_ativo');
  relogio.definir('2026-11-24T03:00:00.000Z');
  // Its time is over; the job that blocks the contract again has not come yet.
  recusada(t, await pedir(c), 422, 'contrato_nao_bloqueado');
  t.deepEqual(await contagens(c), UM);
});

/** Blocks a contract again, as the job does when an unblock ends. */
async function bloquearDeNovo({ contrato }: Cenario, encerrar = true): Promise<void> {
  const { db } = api.container;
  await db('contratos').where({ id: contrato }).update(BLOQUEADO);
  if (encerrar)
    await db('desbloqueios_confianca')
      .where({ contrato_id: contrato })
      .update({ encerrado_em: db.ref('ate') });
}

for (const [situacao, permitido] of [
  ['pendente', false],
  ['vencida', false],
  ['processando', false],
  ['cancelada', false],
  ['estornada', false],
  ['paga', true],
] as const) {
  test.serial(`depois do primeiro uso, com a fatura que o causou ${situacao}: ${permitido ? 201 : 422}`, async (t) => {
    const c = await cenario();
    t.is((await pedir(c)).status, 201);
    relogio.definir('2026-11-25T15:00:00.000Z');
    await bloquearDeNovo(c);
    await api.container.db('faturas').where({ id: c.fatura }).update({ situacao });
    const resposta = await pedir(c);
    if (permitido) t.is(resposta.status, 201);
    else recusada(t, resposta, 422, 'fatura_anterior_em_aberto');
    t.is((await contagens(c))['desbloqueios'], permitido ? 2 : 1);
  });
}

test.serial('um desbloqueio cujo fim nenhuma tarefa encerrou é encerrado pelo seguinte, no seu fim', async (t) => {
  const c = await cenario();
  await pedir(c);
  relogio.definir('2026-11-25T15:00:00.000Z');
  await bloquearDeNovo(c, false);
  await api.container.db('faturas').where({ id: c.fatura }).update({ situacao: 'paga' });
  t.is((await pedir(c)).status, 201);
  const { desbloqueios } = await rastros(c);
  t.deepEqual(
    desbloqueios.map(({ encerrado_em }) => encerrado_em),
    ['2026-11-24 02:59:59.999', null],
  );
});

test.serial('as regras valem na ordem decidida', async (t) => {
  const desabilitado = { desbloqueio_habilitado: 0 };
  const emVigor = { ate: '2026-11-22 02:59:59.999' };
  const anterior = { ate: '2026-11-01 02:59:59.999', encerrado_em: '2026-11-01 02:59:59.999' };
  const casos: [string, Linha, Linha, Linha | null][] = [
    ['desbloqueio_desabilitado', desabilitado, { bloqueio_origem: 'manual' }, emVigor],
    ['desbloqueio_ativo', {}, { situacao: 'ativo', bloqueio_origem: null }, emVigor],
    ['desbloqueio_ativo', {}, { bloqueio_origem: 'manual' }, emVigor],
    ['contrato_nao_bloqueado', {}, { situacao: 'cancelado', bloqueio_origem: 'manual' }, anterior],
    ['bloqueio_manual', {}, { bloqueio_origem: 'manual' }, anterior],
    ['fatura_anterior_em_aberto', {}, {}, anterior],
  ];
  for (const [codigo, regras, contrato, desbloqueio] of casos) {
    const c = await cenario({ regras, contrato });
    if (desbloqueio !== null) {
      await fabrica.desbloqueio(c.provedor, { contrato_id: c.contrato, fatura_causa_id: c.fatura, ...desbloqueio });
    }
    recusada(t, await pedir(c), codigo === 'desbloqueio_ativo' ? 409 : 422, codigo);
  }
});

test.serial(
  'a causa é a fatura vencida em aberto mais antiga do contrato; sem nenhuma, a do cliente; sem essa, nenhuma',
  async (t) => {
    const { db } = api.container;
    const c = await cenario();
    const doContrato = { cliente_id: c.cliente, contrato_id: c.contrato };
    await fabrica.fatura(c.provedor, { ...doContrato, vencimento: '2026-11-12' });
    await fabrica.fatura(c.provedor, { ...doContrato, vencimento: '2026-10-10', situacao: 'paga' });
    await fabrica.fatura(c.provedor, { ...doContrato, vencimento: '2026-11-20' });
    await fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-09-10' });
    await pedir(c);
    t.is((await rastros(c)).desbloqueios[0].fatura_causa_id, c.fatura);

    const d = await cenario();
    await db('faturas').where({ id: d.fatura }).update({ situacao: 'paga' });
    const avulsa = await fabrica.fatura(d.provedor, { cliente_id: d.cliente, vencimento: '2026-11-19' });
    await pedir(d);
    t.is((await rastros(d)).desbloqueios[0].fatura_causa_id, avulsa);

    const e = await cenario();
    await db('faturas').where({ id: e.fatura }).update({ vencimento: '2026-11-20' });
    t.is((await pedir(e)).status, 201);
    t.is((await rastros(e)).desbloqueios[0].fatura_causa_id, null);
  },
);

test.serial('a causa é a fatura em atraso; sem nenhuma, como num domingo, a que venceu na véspera', async (t) => {
  for (const [dia, atrasada] of [
    ['2026-11-22', false],
    ['2026-11-24', true],
  ] as const) {
    const c = await cenario();
    const { db } = api.container;
    await db('faturas').where({ id: c.fatura }).update({ vencimento: '2026-11-21' });
    const doCliente = await fabrica.fatura(c.provedor, { cliente_id: c.cliente, vencimento: '2026-11-10' });
    relogio.definir(`${dia}T15:00:00.000Z`);
    t.is((await pedir(c)).status, 201);
    t.is((await rastros(c)).desbloqueios[0].fatura_causa_id, atrasada ? c.fatura : doCliente, dia);

    const d = await cenario();
    await db('faturas').where({ id: d.fatura }).update({ vencimento: '2026-11-21' });
    t.is((await pedir(d)).status, 201);
    t.is((await rastros(d)).desbloqueios[0].fatura_causa_id, d.fatura, dia);
    relogio.definir('2026-12-20T15:00:00.000Z');
    await db('contratos').where({ id: d.contrato }).update({ situacao: 'bloqueado', bloqueio_origem: 'financeiro' });
    recusada(t, await pedir(d), 422, 'fatura_anterior_em_aberto');
    relogio.definir(AGORA);
  }
});

test.serial('o contrato que outro muda enquanto isso é julgado como ficou, e nada se grava', async (t) => {
  const c = await cenario();
  const trx = await api.container.db.transaction();
  // Whoever holds the contract's row makes the unblock wait, and lose.
  await trx('contratos').where({ id: c.contrato }).forUpdate().select('id');
  const pedido = pedir(c);
  await trx('contratos').where({ id: c.contrato }).update({ situacao: 'cancelado' });
  await trx.commit();
  recusada(t, await pedido, 422, 'contrato_nao_bloqueado');
  t.deepEqual(await contagens(c), NADA);
});

test.serial('200 ao mesmo tempo, em dois processos: um 201, os outros 409, e um rastro de cada', async (t) => {
  const c = await cenario();
  const respostas = await Promise.all(Array.from({ length: 200 }, (_, n) => pedir(c, { motivo: `vez ${n}` }, n % 2)));
  t.is(respostas.filter(({ status }) => status === 201).length, 1);
  for (const resposta of respostas.filter(({ status }) => status !== 201)) {
    recusada(t, resposta, 409, 'desbloqueio_ativo');
  }
  t.deepEqual(await contagens(c), UM);
});

// Before and after: GET

const consultar = async ({ contrato, chave }: Pick<Cenario, 'contrato' | 'chave'>, processo = 0): Promise<any> =>
  (await api.get(`/contratos/${contrato}/desbloqueio-confianca`, { chave, processo })).corpo.dados;

test.serial('o GET diz antes o que o POST responderia, por cada regra, e depois o que está em vigor', async (t) => {
  const anterior = { ate: '2026-11-01 02:59:59.999', encerrado_em: '2026-11-01 02:59:59.999' };
  const casos: [string | null, Linha, Linha, Linha | null][] = [
    ['desbloqueio_desabilitado', { desbloqueio_habilitado: 0 }, {}, null],
    ['contrato_nao_bloqueado', {}, { situacao: 'ativo', bloqueio_origem: null }, null],
    ['bloqueio_manual', {}, { bloqueio_origem: 'manual' }, null],
    ['fatura_anterior_em_aberto', {}, {}, anterior],
    [null, {}, {}, null],
  ];
  const antes = { dias: 3, ate: '2026-11-24T02:59:59.999Z', ativo: false, rede: null };
  for (const [motivo, regras, contrato, desbloqueio] of casos) {
    const c = await cenario({ regras, contrato });
    if (desbloqueio !== null) {
      await fabrica.desbloqueio(c.provedor, { contrato_id: c.contrato, fatura_causa_id: c.fatura, ...desbloqueio });
    }
    t.deepEqual(await consultar(c), { disponivel: motivo === null, motivo, ...antes });
    const feito = await pedir(c);
    t.is(feito.corpo.erro?.codigo ?? null, motivo);
  }
  const c = await cenario();
  t.true((await consultar(c, 1)).disponivel);
  await pedir(c);
  relogio.avancar(60_000);
  const rede = { situacao: 'pendente', em: AGORA };
  for (const processo of [0, 1]) {
    t.deepEqual(await consultar(c, processo), {
      ...antes,
      disponivel: false,
      motivo: 'desbloqueio_ativo',
      ativo: true,
      rede,
    });
  }
  relogio.definir('2026-11-24T03:00:00.000Z');
  t.like(await consultar(c), {
    motivo: 'contrato_nao_bloqueado',
    ate: '2026-11-28T02:59:59.999Z',
    ativo: false,
    rede: null,
  });
});

test.serial('o GET serve a quem lê clientes e a quem desbloqueia; de outro provedor é 404', async (t) => {
  const c = await cenario();
  const alheio = await cenario();
  for (const permissoes of [['clientes:leitura'], ['contratos:desbloqueio']] as const) {
    const { texto } = await api.criarChave(c.provedor, { permissoes });
    t.true((await consultar({ ...c, chave: texto })).disponivel);
    const { status } = await api.get(`/contratos/${alheio.contrato}/desbloqueio-confianca`, { chave: texto });
    t.is(status, 404);
  }
});

const SEGREDO = 'so-o-nas-sabe';
let nasDeTeste = 0;

for (const [oQue, responder, situacao] of [
  ['encerra a sessão', 'ack', 'aplicada'],
  ['não a tem mais', { nak: 503 }, 'aplicada'],
  ['recusa', { nak: 501 }, 'sem_efeito'],
  ['não responde', 'nada', 'sem_resposta'],
  ['não é conhecido', null, 'sem_efeito'],
] as const) {
  test.serial(
    `rede é a verdade do que o servidor disse, e aparece sem que ninguém avise o cache: ele ${oQue}: ${situacao}`,
    async (t) => {
      const c = await cenario({ contrato: { login: `confia-${(nasDeTeste += 1)}` } });
      const { login } = await api.dono('contratos').where({ id: c.contrato }).first();
      const endereco = `127.0.7.${nasDeTeste}`;
      const db = api.dono;
      const nas = await criarNas(endereco, SEGREDO, responder ?? 'ack');
      t.teardown(() => nas.fechar());
      await db('provedores_nas').insert({ provedor_id: c.provedor, nasipaddress: endereco, porta_coa: nas.porta });
      if (responder !== null) await db('nas').insert({ nasname: endereco, secret: SEGREDO });
      const doProvedor = { provedor_id: c.provedor };
      await db('radusergroup').insert({ username: login, groupname: 'bloqueado', priority: 1 });
      await fabrica.sessao({ username: login, nasipaddress: endereco, acctstarttime: '2026-11-20 14:00:00' });
      t.is((await pedir(c)).corpo.dados.rede.situacao, 'pendente');
      t.is((await consultar(c)).rede.situacao, 'pendente');

      const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
      const deps = { db, relogio, write, avisar: () => {} };
      await createAplicacaoService(deps).aplicar(AUTOR, c.provedor);
      t.is((await db('rede_desconexoes').where(doProvedor)).length, 1);
      t.is((await consultar(c)).rede.situacao, 'pendente');
      const perguntar = createNasClient({ timeoutMs: responder === 'nada' ? 50 : 15_000 });
      const desconexao = createDesconexaoService({ ...deps, perguntar });
      for (let vez = 0; vez < 6; vez += 1) {
        relogio.avancar(20_000);
        await desconexao.desconectar(AUTOR, c.provedor);
      }
      const { rede } = await consultar(c, 1);
      t.is(rede.situacao, situacao);
      t.true(rede.em > AGORA);
      if (situacao === 'aplicada') return;
      // What was built anew is released, whatever the server had said; the aggregation touches the contract's tag.
      await db('radacct').where({ username: login }).update({ acctstoptime: '2026-11-20 15:01:00' });
      t.is((await consultar(c, 0)).rede.situacao, 'aplicada');
    },
  );
}

test.serial('sem sessão aberta, está aplicada quando o login foi liberado; sem login, não tem efeito', async (t) => {
  for (const [linha, situacao] of [
    [{}, 'aplicada'],
    [{ login: null }, 'sem_efeito'],
  ] as const) {
    const c = await cenario({ contrato: linha });
    await pedir(c);
    const write = createEscrita({ db: api.dono, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
    await createAplicacaoService({ db: api.dono, relogio, write, avisar: () => {} }).aplicar(AUTOR, c.provedor);
    t.is((await consultar(c)).rede.situacao, situacao);
  }
});

/** A blocked line that is up in the group `bloqueado`, at a server that takes requests. */
async function noMuro(
  t: { teardown: (fazer: () => Promise<void>) => void },
  responder: Parameters<typeof criarNas>[2] = 'ack',
) {
  const login = `confia-${(nasDeTeste += 1)}`;
  const c = await cenario({ contrato: { login } });
  const endereco = `127.0.7.${nasDeTeste}`;
  const nas = await criarNas(endereco, SEGREDO, responder);
  t.teardown(() => nas.fechar());
  await api.dono('provedores_nas').insert({ provedor_id: c.provedor, nasipaddress: endereco, porta_coa: nas.porta });
  await api.dono('nas').insert({ nasname: endereco, secret: SEGREDO });
  await api.dono('radusergroup').insert({ username: login, groupname: 'bloqueado', priority: 1 });
  await fabrica.sessao({ username: login, nasipaddress: endereco, acctstarttime: '2026-11-20 14:00:00' });
  const write = createEscrita({ db: api.dono, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  const deps = { db: api.dono, relogio, write, avisar: () => {} };
  return {
    ...c,
    aplicar: async () => createAplicacaoService(deps).aplicar(AUTOR, c.provedor),
    encerrar: async (timeoutMs = 15_000) =>
      createDesconexaoService({ ...deps, perguntar: createNasClient({ timeoutMs }) }).desconectar(AUTOR, c.provedor),
    grupos: async (): Promise<string[]> => api.dono('radusergroup').where({ username: login }).pluck('groupname'),
    desconectar: async (processo = 0) =>
      api.pedir('POST', `/contratos/${c.contrato}/desconectar`, { chave: c.chave, processo }),
  };
}

test.serial('quem desconecta logo depois de liberar tem a linha liberada, e só então se diz aplicada', async (t) => {
  const c = await noMuro(t);
  t.is((await pedir(c)).status, 201);
  t.is((await c.desconectar()).status, 202);
  t.is((await consultar(c)).rede.situacao, 'pendente');
  await c.aplicar();
  t.deepEqual(await c.grupos(), [`plano-${c.plano}`]);
  t.is((await consultar(c)).rede.situacao, 'pendente');
  await c.encerrar();
  t.is((await consultar(c)).rede.situacao, 'aplicada');
});

test.serial('um servidor que não respondeu e encerra depois, a pedido, aplica: logo, em todo processo', async (t) => {
  const c = await noMuro(t, (vez) => (vez <= 5 ? 'nada' : 'ack'));
  await pedir(c);
  await c.aplicar();
  for (let vez = 0; vez < 6; vez += 1) {
    relogio.avancar(20_000);
    await c.encerrar(50);
  }
  const resumida = async (processo: number): Promise<any> =>
    (await api.get(`/resumo?contrato_id=${c.contrato}`, { chave: c.chave, processo })).corpo.dados[0].contratos[0];
  const situacoes = async (processo: number): Promise<string[]> => [
    (await consultar(c, processo)).rede.situacao,
    (await resumida(processo)).desbloqueio.rede.situacao,
  ];
  for (const processo of [0, 1]) t.deepEqual(await situacoes(processo), ['sem_resposta', 'sem_resposta']);
  t.is((await c.desconectar(1)).status, 202);
  for (const processo of [0, 1]) t.deepEqual(await situacoes(processo), ['pendente', 'pendente']);
  await c.encerrar();
  for (const processo of [0, 1]) t.deepEqual(await situacoes(processo), ['aplicada', 'aplicada']);
});
