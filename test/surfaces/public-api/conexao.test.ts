import test from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00Z';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let nas = 0;

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

interface Assinante {
  readonly provedor: number;
  readonly contrato: number;
  readonly nas: string;
  /** Writes a session of the login on the provider's NAS, as FreeRADIUS does. */
  sessao(linha: Record<string, unknown>): Promise<void>;
  /** What the aggregation job does. */
  agregar(): Promise<void>;
  readonly ler: (contratoId?: number) => Promise<any>;
}

/** A provider with a NAS of its own and one contract with the login. */
async function assinante(login: string | null = 'maria', linha: Record<string, unknown> = {}): Promise<Assinante> {
  const provedor = await fabrica.provedor(linha);
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, login });
  nas += 1;
  const endereco = `10.0.${Math.floor(nas / 250)}.${(nas % 250) + 1}`;
  await fabrica.nas(provedor, endereco);
  const { texto } = await api.criarChave(provedor);
  return {
    provedor,
    contrato,
    nas: endereco,
    sessao: (dados) => fabrica.sessao({ username: login ?? '', nasipaddress: endereco, acctinterval: 300, ...dados }),
    async agregar() {
      const agregacao = createAgregacao({ db: api.container.db, relogio, intervaloPadraoSegundos: 300 });
      await agregacao.agregarTudo(provedor);
    },
    async ler(contratoId = contrato) {
      const { status, corpo } = await api.get(`/contratos/${contratoId}/conexao`, { chave: texto });
      if (status !== 200) throw new Error(JSON.stringify(corpo));
      return corpo.dados;
    },
  };
}

/** An ended session that began a minute before its end. */
function encerrada(fim: string, acctterminatecause: string): Record<string, unknown> {
  const inicio = new Date(new Date(`${fim.replace(' ', 'T')}Z`).getTime() - 60_000);
  return {
    acctstarttime: inicio.toISOString().slice(0, 19).replace('T', ' '),
    acctstoptime: fim,
    acctterminatecause,
  };
}

test('Conexao sem login: desconhecido, fonte desconhecida, nenhuma queda e nenhuma sessão', async (t) => {
  const a = await assinante(null);
  t.deepEqual(await a.ler(), {
    contrato_id: a.contrato,
    conexao: 'desconhecido',
    fonte: 'desconhecida',
    desde: null,
    ip: null,
    ipv6_prefixo: null,
    mac: null,
    servidor: null,
    ultima_queda: null,
    quedas_7_dias: 0,
    quedas_30_dias: 0,
    avisos: [],
    sessoes: [],
  });
});

test('Conexao de login que nunca teve sessão: desconhecido', async (t) => {
  const a = await assinante();
  await a.agregar();
  const { conexao, fonte, sessoes } = await a.ler();
  t.deepEqual({ conexao, fonte, sessoes }, { conexao: 'desconhecido', fonte: 'desconhecida', sessoes: [] });
});

test('Conexao com sessão aberta e recente: online, fonte radius; fim e causa da sessão são nulos', async (t) => {
  const a = await assinante();
  await a.sessao({ acctstarttime: '2026-11-20 13:00:00', acctupdatetime: '2026-11-20 14:58:00' });
  await a.agregar();
  t.like(await a.ler(), {
    contrato_id: a.contrato,
    conexao: 'online',
    fonte: 'radius',
    quedas_7_dias: 0,
    quedas_30_dias: 0,
    sessoes: [{ inicio: '2026-11-20T13:00:00.000Z', fim: null, duracao_segundos: 7200, causa: null }],
  });
});

test('Conexao com login conhecido e nenhuma sessão aberta: offline, fonte radius', async (t) => {
  const a = await assinante();
  await a.sessao(encerrada('2026-11-20 14:00:00', 'User-Request'));
  await a.agregar();
  const { conexao, fonte, quedas_7_dias } = await a.ler();
  t.deepEqual({ conexao, fonte, quedas_7_dias }, { conexao: 'offline', fonte: 'radius', quedas_7_dias: 0 });
});

test.serial(
  'Conexao.conexao passa a offline 2 intervalos depois do último sinal; a sessão parada tem causa sem_resposta e é uma queda',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await assinante();
    await a.sessao({ acctstarttime: '2026-11-20 14:00:00', acctupdatetime: '2026-11-20 14:59:00' });
    await a.agregar();
    relogio.definir('2026-11-20T15:09:00Z');
    t.like(await a.ler(), { conexao: 'online', quedas_7_dias: 0, quedas_30_dias: 0 });
    relogio.definir('2026-11-20T15:09:00.001Z');
    const esperado = {
      contrato_id: a.contrato,
      conexao: 'offline',
      fonte: 'radius',
      quedas_7_dias: 1,
      quedas_30_dias: 1,
      sessoes: [
        {
          inicio: '2026-11-20T14:00:00.000Z',
          fim: '2026-11-20T14:59:00.000Z',
          duracao_segundos: 3540,
          causa: 'sem_resposta',
        },
      ],
    };
    t.like(await a.ler(), esperado);
    await a.agregar();
    t.like(await a.ler(), esperado);
  },
);

for (const [causa, nome] of Object.entries({
  'Lost-Carrier': 'lost_carrier',
  'Lost-Service': 'lost_service',
  'Port-Error': 'port_error',
  'NAS-Error': 'nas_error',
  'NAS-Reboot': 'nas_reboot',
  'Service-Unavailable': 'service_unavailable',
})) {
  test(`Conexao: sessão terminada por ${causa} é queda, com causa ${nome}`, async (t) => {
    const a = await assinante();
    await a.sessao(encerrada('2026-11-20 14:00:00', causa));
    await a.agregar();
    const { quedas_7_dias, quedas_30_dias, sessoes } = await a.ler();
    t.is(quedas_7_dias, 1);
    t.is(quedas_30_dias, 1);
    t.deepEqual(sessoes, [
      { inicio: '2026-11-20T13:59:00.000Z', fim: '2026-11-20T14:00:00.000Z', duracao_segundos: 60, causa: nome },
    ]);
  });
}

for (const [causa, nome] of Object.entries({
  'User-Request': 'user_request',
  'Idle-Timeout': 'idle_timeout',
  'Session-Timeout': 'session_timeout',
  'Admin-Reset': 'admin_reset',
  'Admin-Reboot': 'admin_reboot',
  'NAS-Request': 'nas_request',
  'Port-Preempted': 'port_preempted',
})) {
  test(`Conexao: sessão terminada por ${causa} não é queda, e tem causa ${nome}`, async (t) => {
    const a = await assinante();
    await a.sessao(encerrada('2026-11-20 14:00:00', causa));
    await a.agregar();
    const { quedas_7_dias, quedas_30_dias, sessoes } = await a.ler();
    t.is(quedas_7_dias, 0);
    t.is(quedas_30_dias, 0);
    t.is(sessoes[0].causa, nome);
  });
}

test('Conexao: quedas a até 60 s uma da outra contam uma vez; além disso, cada uma conta', async (t) => {
  const quedas = async (...fins: string[]) => {
    const a = await assinante();
    for (const fim of fins) await a.sessao(encerrada(fim, 'Lost-Carrier'));
    await a.agregar();
    return (await a.ler()).quedas_7_dias;
  };
  t.is(await quedas('2026-11-20 14:00:00', '2026-11-20 14:01:00'), 1);
  t.is(await quedas('2026-11-20 14:00:00', '2026-11-20 14:01:01'), 2);
});

test('Conexao.quedas_7_dias e quedas_30_dias contam dias locais do provedor, com o de hoje', async (t) => {
  const a = await assinante();
  for (const fim of [
    // In São Paulo: the first instant of the 7th day, the last of the 8th, then the same of the 30th and the 31st.
    '2026-11-14 03:00:00',
    '2026-11-14 02:58:00',
    '2026-10-22 03:00:00',
    '2026-10-22 02:58:00',
  ]) {
    await a.sessao(encerrada(fim, 'Lost-Carrier'));
  }
  await a.agregar();
  t.like(await a.ler(), { quedas_7_dias: 1, quedas_30_dias: 3 });

  const noroeste = await assinante('maria', { fuso_horario: 'America/Rio_Branco' });
  await noroeste.sessao(encerrada('2026-11-14 05:00:00', 'Lost-Carrier'));
  await noroeste.sessao(encerrada('2026-11-14 04:58:00', 'Lost-Carrier'));
  await noroeste.agregar();
  t.like(await noroeste.ler(), { quedas_7_dias: 1, quedas_30_dias: 2 });
});

test('Conexao.sessoes vem da mais nova para a mais antiga, e as sem início por último, com inicio nulo', async (t) => {
  const a = await assinante();
  await a.sessao(encerrada('2026-11-18 12:00:00', 'User-Request'));
  await a.sessao({ acctstarttime: null, acctstoptime: '2026-11-19 12:00:00', acctsessiontime: 42 });
  await a.sessao({ acctstarttime: '2026-11-20 14:50:00', acctupdatetime: '2026-11-20 14:55:00' });
  await a.sessao(encerrada('2026-11-19 12:00:00', 'Lost-Carrier'));
  await a.agregar();
  t.deepEqual((await a.ler()).sessoes, [
    { inicio: '2026-11-20T14:50:00.000Z', fim: null, duracao_segundos: 600, causa: null },
    {
      inicio: '2026-11-19T11:59:00.000Z',
      fim: '2026-11-19T12:00:00.000Z',
      duracao_segundos: 60,
      causa: 'lost_carrier',
    },
    {
      inicio: '2026-11-18T11:59:00.000Z',
      fim: '2026-11-18T12:00:00.000Z',
      duracao_segundos: 60,
      causa: 'user_request',
    },
    { inicio: null, fim: '2026-11-19T12:00:00.000Z', duracao_segundos: 42, causa: null },
  ]);
});

test('Conexao.sessoes são as dos últimos 30 dias', async (t) => {
  const a = await assinante();
  await a.sessao(encerrada('2026-10-21 15:00:00', 'User-Request'));
  await a.sessao(encerrada('2026-10-21 14:59:59', 'User-Request'));
  // Began before the 30 days and went on into them.
  await a.sessao({
    acctstarttime: '2026-09-01 00:00:00',
    acctstoptime: '2026-11-01 00:00:00',
    acctterminatecause: 'NAS-Reboot',
  });
  await a.agregar();
  const { sessoes } = await a.ler();
  t.deepEqual(
    sessoes.map(({ fim }: { fim: string }) => fim),
    ['2026-10-21T15:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  );
});

test('Conexao.sessoes são no máximo 100, as mais novas', async (t) => {
  const a = await assinante();
  const inicios: string[] = [];
  for (let i = 0; i < 101; i++) {
    const inicio = new Date(Date.UTC(2026, 10, 19, 0, 10 * i));
    inicios.unshift(inicio.toISOString());
    const texto = inicio.toISOString().slice(0, 19).replace('T', ' ');
    await a.sessao({ acctstarttime: texto, acctstoptime: texto, acctterminatecause: 'User-Request' });
  }
  await a.agregar();
  const { sessoes } = await a.ler();
  t.deepEqual(
    sessoes.map(({ inicio }: { inicio: string }) => inicio),
    inicios.slice(0, 100),
  );
});

test('Conexao: o mesmo login em dois provedores é separado pelo NAS', async (t) => {
  const [a, b] = [await assinante('joao'), await assinante('joao')];
  await a.sessao({ acctstarttime: '2026-11-20 14:30:00', acctupdatetime: '2026-11-20 14:58:00' });
  await b.sessao(encerrada('2026-11-20 13:00:00', 'Lost-Carrier'));
  // On a NAS that belongs to nobody: nobody's.
  await fabrica.sessao({
    username: 'joao',
    nasipaddress: '192.0.2.1',
    ...encerrada('2026-11-20 12:00:00', 'Lost-Carrier'),
  });
  await a.agregar();
  await b.agregar();
  t.like(await a.ler(), {
    contrato_id: a.contrato,
    conexao: 'online',
    fonte: 'radius',
    quedas_7_dias: 0,
    quedas_30_dias: 0,
    sessoes: [{ inicio: '2026-11-20T14:30:00.000Z', fim: null, duracao_segundos: 1800, causa: null }],
  });
  t.like(await b.ler(), {
    contrato_id: b.contrato,
    conexao: 'offline',
    fonte: 'radius',
    quedas_7_dias: 1,
    quedas_30_dias: 1,
    sessoes: [
      {
        inicio: '2026-11-20T12:59:00.000Z',
        fim: '2026-11-20T13:00:00.000Z',
        duracao_segundos: 60,
        causa: 'lost_carrier',
      },
    ],
  });
});

test('Conexao: sessões de outro login do mesmo provedor não contam', async (t) => {
  const a = await assinante();
  const plano = await fabrica.plano(a.provedor);
  const cliente_id = await fabrica.cliente(a.provedor);
  await fabrica.contrato(a.provedor, { cliente_id, plano_id: plano, login: 'maria2' });
  await fabrica.sessao({
    username: 'maria2',
    nasipaddress: a.nas,
    ...encerrada('2026-11-20 14:00:00', 'Lost-Carrier'),
  });
  await a.agregar();
  const { conexao, quedas_30_dias, sessoes } = await a.ler();
  t.deepEqual({ conexao, quedas_30_dias, sessoes }, { conexao: 'desconhecido', quedas_30_dias: 0, sessoes: [] });
});

test('Conexao de quem recebeu a linha: sessões e quedas de antes são do titular de antes', async (t) => {
  const a = await assinante('troca-de-titular');
  await a.sessao(encerrada('2026-11-19 14:00:00', 'Lost-Carrier'));
  await a.sessao({
    acctstarttime: '2026-11-20 10:00:00',
    acctupdatetime: '2026-11-20 14:59:00',
    callingstationid: 'D4:6E:0E:11:22:33',
  });
  await a.agregar();
  t.like(await a.ler(), { conexao: 'online', quedas_30_dias: 1 });
  const provedor = await api.container.provedores.exigirPorId(a.provedor);
  const cliente_id = await fabrica.cliente(a.provedor);
  const { id } = await api.container.changeTenant(AUTOR, provedor, async (_, { contratos }) =>
    contratos.trocarTitular(a.contrato, { cliente_id, faturas_futuras: 'manter' }),
  );
  await a.agregar();
  const { conexao, desde, quedas_7_dias, quedas_30_dias, ultima_queda, sessoes } = await a.ler(id);
  const naTroca = '2026-11-20T15:00:00.000Z';
  t.deepEqual([conexao, desde, quedas_7_dias, quedas_30_dias, ultima_queda], ['online', naTroca, 0, 0, null]);
  t.deepEqual(sessoes, [{ inicio: naTroca, fim: null, duracao_segundos: 0, causa: null }]);

  // The session that was up ends: only what came after the change is the new holder's, and so is its drop.
  await api
    .dono('radacct')
    .where({ username: 'troca-de-titular', acctstoptime: null })
    .update({ acctstoptime: '2026-11-20 15:30:00', acctterminatecause: 'Lost-Carrier' });
  await a.agregar();
  const depois = await a.ler(id);
  t.like(depois, { conexao: 'offline', quedas_30_dias: 1, mac: 'D4:6E:0E:11:22:33' });
  t.like(depois.sessoes, {
    0: { inicio: naTroca, fim: '2026-11-20T15:30:00.000Z', duracao_segundos: 1800 },
    length: 1,
  });
});

test('Conexao de um login que era de outro: antes da primeira sessão nada se sabe da linha', async (t) => {
  const a = await assinante('login-de-outro');
  await a.sessao({ ...encerrada('2026-11-20 14:00:00', 'Lost-Carrier'), callingstationid: 'D4:6E:0E:11:22:33' });
  await a.agregar();
  t.like(await a.ler(), { conexao: 'offline', mac: 'D4:6E:0E:11:22:33', quedas_30_dias: 1 });
  await api.dono('contratos').where({ id: a.contrato }).update({ login: null, situacao: 'cancelado_definitivo' });
  const plano_id = await fabrica.plano(a.provedor);
  const cliente_id = await fabrica.cliente(a.provedor);
  // As a new contract is written.
  const id = await fabrica.contrato(a.provedor, {
    cliente_id,
    plano_id,
    login: 'login-de-outro',
    login_desde: '2026-11-20 14:30:00',
  });
  await a.agregar();
  const { desde, mac, servidor, ultima_queda, quedas_30_dias, sessoes } = await a.ler(id);
  t.deepEqual(
    { desde, mac, servidor, ultima_queda, quedas_30_dias, sessoes },
    {
      desde: null,
      mac: null,
      servidor: null,
      ultima_queda: null,
      quedas_30_dias: 0,
      sessoes: [],
    },
  );
});

test('GET /contratos/{id}/conexao: contrato que não existe, ou de outro provedor, é 404 nao_encontrado', async (t) => {
  const [a, b] = [await assinante(), await assinante()];
  const { texto } = await api.criarChave(a.provedor);
  for (const id of [999_999, b.contrato]) {
    const { status, corpo } = await api.get(`/contratos/${id}/conexao`, { chave: texto });
    t.is(status, 404);
    t.is(corpo.erro.codigo, 'nao_encontrado');
  }
});
