import { faltaEm } from '../../../domain/erros.ts';
import { DIAS_GUARDADOS, MAIS_DIAS_POR_HORA } from '../../../domain/trafego/periodos.regras.ts';
import type { Intervalo, Trecho } from '../../../domain/trafego/periodos.regras.ts';
import type { DeQuem } from '../../../domain/trafego/consulta.service.ts';
import { id, instant } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { apresentarBytes, totalDe } from './network.presenter.ts';
import { asOf, bytes } from './network.schemas.ts';

const DIA_MS = 86_400_000;

const instante = (description: string) => ({ type: 'string', format: 'date-time', description }) as const;

export const consultaDeTrafego = {
  type: 'object',
  additionalProperties: false,
  properties: {
    from: { ...instante('Desde quando; 24 horas antes de to, se faltar.'), examples: ['2026-11-10T00:00:00.000Z'] },
    to: { ...instante('Até antes de quando; agora, se faltar ou for depois.'), examples: ['2026-11-11T00:00:00.000Z'] },
    interval: {
      type: 'string',
      enum: ['hour', 'day'],
      description: `Por hora, até ${MAIS_DIAS_POR_HORA} dias; por dia, no fuso do provedor, até ${DIAS_GUARDADOS}. Se faltar, hour, e com contract_id, day.`,
      examples: ['hour'],
    },
    server: { type: 'string', maxLength: 15, description: 'Endereço de um servidor.', examples: ['10.0.0.1'] },
    contract_id: { ...id, description: 'Um contrato, só por dia; não com server.', examples: [12] },
  },
} as const;

const mbps = { type: 'number', minimum: 0, description: 'A média do intervalo, com duas casas.' } as const;

export const trafficSchema = closed('Traffic', {
  interval: { type: 'string', enum: ['hour', 'day'] },
  totals: closed(null, bytes),
  series: {
    type: 'array',
    description: 'Todas as horas ou dias, também os sem tráfego; do que ainda corre, o que houve até agora.',
    items: closed(null, {
      at: { ...instant, description: 'O início da hora ou do dia.' },
      ...bytes,
      download_mbps: mbps,
      upload_mbps: mbps,
    }),
  },
  as_of: asOf,
});

export const exemploTraffic = {
  interval: 'hour',
  totals: { download_bytes: 450_000_000_000, upload_bytes: 45_000_000_000 },
  series: [
    {
      at: '2026-11-10T13:00:00.000Z',
      download_bytes: 450_000_000_000,
      upload_bytes: 45_000_000_000,
      download_mbps: 1000,
      upload_mbps: 100,
    },
  ],
  as_of: '2026-11-10T13:05:00.000Z',
} as const;

/** What of the traffic is asked for. */
export interface PedidoDeTrafego {
  readonly intervalo: Intervalo;
  readonly de: Date;
  readonly ate: Date;
  readonly quem: DeQuem;
}

/** @throws CamposInvalidos of what a schema cannot say */
export function lerPedido(query: TypeOf<typeof consultaDeTrafego>, agora: Date): PedidoDeTrafego {
  const { server, contract_id: contratoId, interval = contratoId === undefined ? 'hour' : 'day' } = query;
  if (contratoId !== undefined && server !== undefined) faltaEm('server', 'não vai com contract_id');
  if (contratoId !== undefined && interval === 'hour') faltaEm('interval', 'com contract_id, só day');
  const pedida = query.to === undefined ? agora : new Date(query.to);
  const ate = pedida > agora ? agora : pedida;
  const de = query.from === undefined ? new Date(ate.getTime() - DIA_MS) : new Date(query.from);
  if (de >= ate) faltaEm('from', 'deve ser antes de to, e de agora');
  const dias = interval === 'hour' ? MAIS_DIAS_POR_HORA : DIAS_GUARDADOS;
  if (ate.getTime() - de.getTime() > dias * DIA_MS) faltaEm('from', `deve ser no máximo ${dias} dias antes de to`);
  if (agora.getTime() - de.getTime() > DIAS_GUARDADOS * DIA_MS) faltaEm('from', `guardam-se ${DIAS_GUARDADOS} dias`);
  return {
    intervalo: interval === 'hour' ? 'hora' : 'dia',
    de,
    ate,
    quem: contratoId === undefined ? { nas: server } : { contratoId },
  };
}

export const apresentarTrafego = (
  intervalo: Intervalo,
  trechos: readonly Trecho[],
  em: Date,
): TypeOf<typeof trafficSchema> => ({
  interval: intervalo === 'hora' ? 'hour' : 'day',
  totals: apresentarBytes(totalDe(trechos)),
  series: trechos.map((trecho) => ({
    at: trecho.inicio.toISOString(),
    ...apresentarBytes(trecho),
    download_mbps: media(trecho.download, trecho),
    upload_mbps: media(trecho.upload, trecho),
  })),
  as_of: em.toISOString(),
});

/** Megabits a second over the whole of it. */
const media = (total: number, { inicio, fim }: Trecho): number =>
  Math.round((total * 8) / ((fim.getTime() - inicio.getTime()) * 10)) / 100;
