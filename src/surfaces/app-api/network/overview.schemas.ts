import { id } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { connectionState } from '../client/client.schemas.ts';
import { serverOfLine } from '../client/contracts.schemas.ts';
import { avisoSchema, exemploAviso } from './avisos.ts';
import { asOf, bytes } from './network.schemas.ts';

const count = { type: 'integer', minimum: 0 } as const;
const notices = { type: 'array', items: avisoSchema } as const;

const ofProvider = closed('NetworkOverview', {
  contracts: closed(null, { active: count, blocked: count, pending: count }),
  connections: closed(
    null,
    { online: count, offline: count, unknown: count },
    { description: 'Dos contratos ativos e bloqueados.' },
  ),
  drops: closed(null, { last_hour: count, today: count, last_7_days: count }),
  servers: closed(null, { total: count, active: count, silent: count }),
  traffic_today: closed(null, bytes),
  notices,
  as_of: asOf,
});

const ofSubscriber = closed('SubscriberOverview', {
  contracts: {
    type: 'array',
    items: closed(null, { id, connection: connectionState, server: serverOfLine, drops_7_days: count }),
  },
  notices,
  as_of: asOf,
});

/** To a subscriber of his own lines, to all others of the whole network. */
export const overviewSchema = { anyOf: [ofProvider, ofSubscriber] } as const;

export const exemploOverview = {
  contracts: { active: 830, blocked: 12, pending: 4 },
  connections: { online: 812, offline: 28, unknown: 2 },
  drops: { last_hour: 2, today: 31, last_7_days: 190 },
  servers: { total: 2, active: 2, silent: 0 },
  traffic_today: { download_bytes: 5_497_558_138_880, upload_bytes: 549_755_813_888 },
  notices: [{ ...exemploAviso, contract_ids: null }],
  as_of: '2026-11-10T13:05:00.000Z',
} as const;
