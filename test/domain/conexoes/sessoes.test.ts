import test from 'ava';
import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { RadacctRow } from '../../../src/domain/conexoes/conexoes.types.ts';
import { estadoDaConexao } from '../../../src/domain/conexoes/estado.regras.ts';
import { contarQuedas, interpretarSessao } from '../../../src/domain/conexoes/sessoes.regras.ts';

const AGORA = new Date('2026-11-20T15:00:00Z');
const PADRAO = 300;

function row(colunas: Partial<RadacctRow>): RadacctRow {
  return {
    acctstarttime: '2026-11-20 14:00:00',
    acctupdatetime: null,
    acctstoptime: null,
    acctinterval: null,
    acctsessiontime: null,
    acctterminatecause: '',
    ouvida_em: null,
    intervalo_anterior: null,
    ...colunas,
  };
}

const hora = (texto: string | null) => (texto === null ? null : fromDatabaseTime(`2026-11-20 ${texto}`));

const casos: {
  nome: string;
  row: Partial<RadacctRow>;
  espera: {
    inicio?: string | null;
    fim: string | null;
    duracao: number;
    causa: string | null;
    aberta: boolean;
    parada: boolean;
    ouvida: string | null;
    queda: boolean;
  };
}[] = [
  {
    nome: 'uma sessão ouvida há menos de dois intervalos está aberta, e dura até agora',
    row: { acctupdatetime: '2026-11-20 14:58:00', acctinterval: 300 },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:58:00', queda: false },
  },
  {
    nome: 'dois intervalos exatos ainda contam',
    row: { acctupdatetime: '2026-11-20 14:50:00', acctinterval: 300 },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:50:00', queda: false },
  },
  {
    nome: 'um segundo além de dois intervalos é sem resposta, com fim e queda na última notícia',
    row: { acctupdatetime: '2026-11-20 14:49:59', acctinterval: 300 },
    espera: {
      fim: '14:49:59',
      duracao: 2999,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:49:59',
      queda: true,
    },
  },
  {
    nome: 'vale o intervalo da própria sessão',
    row: { acctupdatetime: '2026-11-20 14:10:00', acctinterval: 1800 },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:10:00', queda: false },
  },
  {
    nome: 'um intervalo maior que meia hora vale meia hora',
    row: { acctupdatetime: '2026-11-20 13:59:59', acctstarttime: '2026-11-20 13:00:00', acctinterval: 10_800 },
    espera: {
      inicio: '13:00:00',
      fim: '13:59:59',
      duracao: 3599,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '13:59:59',
      queda: true,
    },
  },
  {
    nome: 'o primeiro intervalo maior que o padrão, como depois de uma pane, ainda não vale',
    row: {
      acctupdatetime: '2026-11-20 14:49:59',
      acctinterval: 900,
      ouvida_em: '2026-11-20 14:49:59',
      intervalo_anterior: 300,
    },
    espera: {
      fim: '14:49:59',
      duracao: 2999,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:49:59',
      queda: true,
    },
  },
  {
    nome: 'dito duas vezes seguidas, o intervalo maior que o padrão vale, pelo menor dos dois',
    row: {
      acctupdatetime: '2026-11-20 14:36:00',
      acctinterval: 900,
      ouvida_em: '2026-11-20 14:36:00',
      intervalo_anterior: 720,
    },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:36:00', queda: false },
  },
  {
    nome: 'quem o NAS de relógio atrasado acaba de confirmar está aberto',
    row: { acctupdatetime: '2026-11-20 14:44:00', ouvida_em: '2026-11-20 14:59:00' },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:59:00', queda: false },
  },
  {
    nome: 'calada, a sessão acaba na hora que o NAS disse, que é a do seu início',
    row: { acctupdatetime: '2026-11-20 14:30:00', ouvida_em: '2026-11-20 14:45:00' },
    espera: {
      fim: '14:30:00',
      duracao: 1800,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:45:00',
      queda: true,
    },
  },
  {
    nome: 'calada, a de um NAS de relógio adiantado não acaba no futuro',
    row: { acctupdatetime: '2026-11-20 15:15:00', ouvida_em: '2026-11-20 14:45:00' },
    espera: {
      fim: '14:45:00',
      duracao: 2700,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:45:00',
      queda: true,
    },
  },
  {
    nome: 'sem intervalo vale o padrão, e sem atualização vale o início',
    row: { acctstarttime: '2026-11-20 14:49:00' },
    espera: {
      inicio: '14:49:00',
      fim: '14:49:00',
      duracao: 0,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:49:00',
      queda: true,
    },
  },
  {
    nome: 'um intervalo menor que o mínimo da RFC 2869 não é intervalo: vale o padrão',
    row: { acctupdatetime: '2026-11-20 14:52:00', acctinterval: 3 },
    espera: { fim: null, duracao: 3600, causa: null, aberta: true, parada: false, ouvida: '14:52:00', queda: false },
  },
  {
    nome: 'uma sessão encerrada dura do início ao fim',
    row: { acctstoptime: '2026-11-20 14:30:00', acctterminatecause: 'User-Request', acctsessiontime: 1795 },
    espera: {
      fim: '14:30:00',
      duracao: 1800,
      causa: 'user_request',
      aberta: false,
      parada: false,
      ouvida: '14:00:00',
      queda: false,
    },
  },
  {
    nome: 'sem início, a duração é a que o NAS contou',
    row: { acctstarttime: null, acctstoptime: '2026-11-20 14:30:00', acctsessiontime: 600 },
    espera: {
      inicio: null,
      fim: '14:30:00',
      duracao: 600,
      causa: null,
      aberta: false,
      parada: false,
      ouvida: null,
      queda: false,
    },
  },
  {
    nome: 'um Start repetido reabre a sessão, embora o fim antigo fique na linha',
    row: {
      acctstarttime: '2026-11-20 14:55:00',
      acctstoptime: '2026-11-20 14:30:00',
      acctterminatecause: 'Lost-Carrier',
    },
    espera: {
      inicio: '14:55:00',
      fim: null,
      duracao: 300,
      causa: null,
      aberta: true,
      parada: false,
      ouvida: '14:55:00',
      queda: false,
    },
  },
  {
    nome: 'um Start repetido é notícia mais nova que a atualização antiga, e a duração nunca é negativa',
    row: {
      acctstarttime: '2026-11-20 14:20:00',
      acctupdatetime: '2026-11-20 14:05:00',
      acctstoptime: '2026-11-20 14:10:00',
    },
    espera: {
      inicio: '14:20:00',
      fim: '14:20:00',
      duracao: 0,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: '14:20:00',
      queda: true,
    },
  },
  {
    nome: 'um início no futuro (relógio do NAS adiantado) é uma sessão aberta de duração zero',
    row: { acctstarttime: '2026-11-20 15:00:30' },
    espera: {
      inicio: '15:00:30',
      fim: null,
      duracao: 0,
      causa: null,
      aberta: true,
      parada: false,
      ouvida: '15:00:30',
      queda: false,
    },
  },
  {
    nome: 'uma linha sem tempo nenhum não está aberta nem é queda',
    row: { acctstarttime: null },
    espera: {
      inicio: null,
      fim: null,
      duracao: 0,
      causa: 'sem_resposta',
      aberta: false,
      parada: true,
      ouvida: null,
      queda: false,
    },
  },
  {
    nome: 'uma causa fora da RFC é reduzida a letras minúsculas, algarismos e sublinhados',
    row: { acctstoptime: '2026-11-20 14:30:00', acctterminatecause: '  Vendor: X/9 (reset)' },
    espera: {
      fim: '14:30:00',
      duracao: 1800,
      causa: 'vendor_x_9_reset',
      aberta: false,
      parada: false,
      ouvida: '14:00:00',
      queda: false,
    },
  },
];

for (const { nome, row: colunas, espera } of casos) {
  test(nome, (t) => {
    t.like(interpretarSessao(row(colunas), AGORA, PADRAO), {
      inicio: hora(espera.inicio === undefined ? '14:00:00' : espera.inicio),
      fim: hora(espera.fim),
      duracaoSegundos: espera.duracao,
      causa: espera.causa,
      aberta: espera.aberta,
      parada: espera.parada,
      ouvidaEm: hora(espera.ouvida),
      queda: espera.queda,
    });
  });
}

const QUEDAS = ['Lost-Carrier', 'Lost-Service', 'Port-Error', 'NAS-Error', 'NAS-Reboot', 'Service-Unavailable'];
const OUTRAS = [
  'User-Request',
  'Idle-Timeout',
  'Session-Timeout',
  'Admin-Reset',
  'Admin-Reboot',
  'NAS-Request',
  'Port-Preempted',
  'Port-Unneeded',
  'Port-Suspended',
  'Callback',
  'User-Error',
  'Host-Request',
  'Qualquer',
  '',
];

test('são quedas as causas da lista, e nenhuma outra', (t) => {
  const queda = (causa: string) =>
    interpretarSessao(row({ acctstoptime: '2026-11-20 14:30:00', acctterminatecause: causa }), AGORA, PADRAO).queda;
  t.deepEqual(QUEDAS.filter(queda), QUEDAS);
  t.deepEqual(OUTRAS.filter(queda), []);
});

test('uma causa longa demais é cortada', (t) => {
  const { causa } = interpretarSessao(
    row({ acctstoptime: '2026-11-20 14:30:00', acctterminatecause: 'a'.repeat(200) }),
    AGORA,
    PADRAO,
  );
  t.is(causa, 'a'.repeat(32));
});

const instantes = (...textos: string[]): number[] => textos.map((texto) => Date.parse(texto));
const SP = 'America/Sao_Paulo';
const no = (fuso: string) => (instante: number) => hojeEm(fuso, new Date(instante));

test('quedas a até 60 s uma da outra contam uma vez, em qualquer ordem', (t) => {
  const quedas = contarQuedas(
    instantes('2026-11-20T12:01:00Z', '2026-11-20T12:00:00Z', '2026-11-20T12:00:30Z'),
    no(SP),
  );
  t.deepEqual([...quedas], [['2026-11-20', 1]]);
});

test('uma queda conta quando vem mais de 60 s depois da última que contou', (t) => {
  const quedas = contarQuedas(
    instantes('2026-11-20T12:00:00Z', '2026-11-20T12:00:50Z', '2026-11-20T12:01:01Z', '2026-11-20T12:01:50Z'),
    no(SP),
  );
  t.deepEqual([...quedas], [['2026-11-20', 2]]);
});

test('a queda é do dia local do provedor', (t) => {
  const momentos = instantes('2026-11-20T02:59:59Z', '2026-11-20T03:30:00Z', '2026-11-20T04:30:00Z');
  t.deepEqual(
    [...contarQuedas(momentos, no(SP))],
    [
      ['2026-11-19', 1],
      ['2026-11-20', 2],
    ],
  );
  t.deepEqual(
    [...contarQuedas(momentos, no('America/Manaus'))],
    [
      ['2026-11-19', 2],
      ['2026-11-20', 1],
    ],
  );
});

test('uma queda de um dia que não interessa não conta, mas segura a que vem até 60 s depois', (t) => {
  const momentos = instantes('2026-11-20T02:59:30Z', '2026-11-20T03:00:20Z', '2026-11-20T03:00:31Z');
  const diaDe = (instante: number) => (instante < Date.parse('2026-11-20T03:00:00Z') ? null : no(SP)(instante));
  t.deepEqual([...contarQuedas(momentos, diaDe)], [['2026-11-20', 1]]);
});

test('o estado é desconhecido sem login ou sem registro, online até dois intervalos, offline depois', (t) => {
  const base = {
    login: 'joao',
    temRegistro: true,
    intervaloSegundos: null,
    intervaloPadraoSegundos: 300,
    agora: AGORA,
  };
  const ouvidaEm = new Date('2026-11-20T14:50:00Z');
  t.is(estadoDaConexao({ ...base, login: null, ouvidaEm }), 'desconhecido');
  t.is(estadoDaConexao({ ...base, temRegistro: false, ouvidaEm: null }), 'desconhecido');
  t.is(estadoDaConexao({ ...base, ouvidaEm }), 'online');
  t.is(estadoDaConexao({ ...base, ouvidaEm, agora: new Date('2026-11-20T15:00:01Z') }), 'offline');
  t.is(estadoDaConexao({ ...base, ouvidaEm, intervaloSegundos: 120 }), 'offline');
  t.is(estadoDaConexao({ ...base, ouvidaEm: null }), 'offline');
  // Kept before intervals had a bound.
  const antes = new Date('2026-11-20T13:59:59Z');
  t.is(estadoDaConexao({ ...base, ouvidaEm: antes, intervaloSegundos: 10_800 }), 'offline');
  t.is(
    estadoDaConexao({ ...base, ouvidaEm: antes, intervaloSegundos: 10_800, intervaloPadraoSegundos: 3600 }),
    'online',
  );
});
