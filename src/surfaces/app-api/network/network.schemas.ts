import { ESTADOS_DE_SERVIDOR } from '../../../domain/rede/visao/visao.types.ts';
import { id, instant, instantOrNull, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { cursorNaConsulta } from '../rota.ts';

const count = { type: 'integer', minimum: 0 } as const;

/** What subscribers received and sent. */
export const bytes = {
  download_bytes: { ...count, description: 'O que os assinantes baixaram.' },
  upload_bytes: { ...count, description: 'O que os assinantes enviaram.' },
} as const;

export const asOf = { ...instant, description: 'De quando é a resposta, que se guarda por até 10 segundos.' } as const;

const serverStatus = {
  type: 'string',
  enum: ESTADOS_DE_SERVIDOR,
  description:
    'silencioso: já teve sessão, e de nenhuma se ouve há dois intervalos, ou encerrou todas de uma vez e nenhuma começou depois; sem_dados: nunca teve sessão.',
} as const;

export const serverSchema = closed('Server', {
  address: { type: 'string', examples: ['10.0.0.1'], mask: 'none' },
  name: { ...textOrNull, mask: 'none' },
  pop: { anyOf: [closed(null, { id, name: { type: 'string', mask: 'none' } }), { type: 'null' }] },
  status: serverStatus,
  sessions_online: count,
  contracts: { ...count, description: 'Cuja sessão mais nova foi ali, aberta ou não.' },
  drops_last_hour: { ...count, description: 'Linhas cuja última queda foi ali, na última hora.' },
  drops_today: count,
  last_heard_at: instantOrNull,
  coa_port: { type: 'integer', minimum: 1, maximum: 65_535 },
  traffic_today: closed(null, bytes),
});

export const exemploServer = {
  address: '10.0.0.1',
  name: 'bng-1',
  pop: { id: 3, name: 'Serra' },
  status: 'ativo',
  sessions_online: 812,
  contracts: 840,
  drops_last_hour: 2,
  drops_today: 31,
  last_heard_at: '2026-11-10T13:05:00.000Z',
  coa_port: 3799,
  traffic_today: { download_bytes: 5_497_558_138_880, upload_bytes: 549_755_813_888 },
} as const;

export const consultaDeServidores = {
  type: 'object',
  additionalProperties: false,
  properties: {
    pop_id: { ...id, description: 'Só os deste POP.', examples: [3] },
    status: { type: 'string', enum: ESTADOS_DE_SERVIDOR, description: 'Só os que estão assim.', examples: ['ativo'] },
    ...cursorNaConsulta,
  },
} as const;

export const topologySchema = closed('Topology', {
  nodes: {
    type: 'array',
    items: closed(null, {
      id: { type: 'string', examples: ['pop:3'], mask: 'none' },
      kind: { type: 'string', enum: ['provedor', 'pop', 'servidor'] },
      name: { ...textOrNull, mask: 'none' },
      status: serverStatus,
      online: count,
      contracts: count,
      city: { ...textOrNull, mask: 'none' },
      state: { ...textOrNull, mask: 'none' },
      latitude: { type: ['number', 'null'] },
      longitude: { type: ['number', 'null'] },
    }),
  },
  links: {
    type: 'array',
    items: closed(null, { from: { type: 'string', mask: 'none' }, to: { type: 'string', mask: 'none' } }),
  },
  as_of: asOf,
});

export const exemploTopology = {
  nodes: [
    {
      id: 'provedor',
      kind: 'provedor',
      name: 'Serra Azul Telecom',
      status: 'ativo',
      online: 812,
      contracts: 840,
      city: null,
      state: null,
      latitude: null,
      longitude: null,
    },
    {
      id: 'nas:10.0.0.1',
      kind: 'servidor',
      name: 'bng-1',
      status: 'ativo',
      online: 812,
      contracts: 840,
      city: null,
      state: null,
      latitude: null,
      longitude: null,
    },
  ],
  links: [{ from: 'provedor', to: 'nas:10.0.0.1' }],
  as_of: '2026-11-10T13:05:00.000Z',
} as const;
