import { instantOrNull, instant, textOrNull } from '../../kit/fields/fields.ts';
import { closed } from '../../platform/schema-type.ts';

/** Fields of the line as it is now, which Conexao and ConexaoDetalhe share. */
export const daLinha = {
  conexao: { type: 'string', enum: ['online', 'offline', 'desconhecido'] },
  fonte: { type: 'string', enum: ['radius', 'desconhecida'], description: 'De onde vem o estado.' },
  desde: {
    ...instantOrNull,
    description: 'Desde quando está assim: o início da sessão, ou o fim da última. Nulo se não se sabe.',
  },
  ip: { ...textOrNull, mask: 'hidden', description: 'IPv4 da sessão; nulo se está sem sessão.' },
  ipv6_prefixo: {
    ...textOrNull,
    mask: 'hidden',
    description: 'Prefixo IPv6 da sessão, o delegado se houver; nulo se não há.',
  },
  mac: {
    ...textOrNull,
    mask: 'hidden',
    description: 'Do equipamento da última sessão, nulo se o NAS diz outra coisa.',
  },
  servidor: { ...textOrNull, mask: 'none', description: 'Nome do servidor (NAS) da última sessão.' },
  ultima_queda: {
    ...closed(null, {
      em: instant,
      causa: {
        ...textOrNull,
        mask: 'none',
        description: 'Causa do fim (RFC 2866), ou sem_resposta; nula se não foi dita.',
        examples: ['lost_carrier'],
      },
    }),
    type: ['object', 'null'],
    description: 'A última queda; nula se não houve.',
  },
  quedas_7_dias: { type: 'integer', minimum: 0 },
  quedas_30_dias: { type: 'integer', minimum: 0 },
} as const;

export const conexaoDetalheSchema = closed('ConexaoDetalhe', daLinha);

export const exemploConexaoDetalhe = {
  conexao: 'online',
  fonte: 'radius',
  desde: '2026-11-10T13:05:00.000Z',
  ip: '100.64.10.7',
  ipv6_prefixo: '2001:db8:1200::/56',
  mac: 'D4:6E:0E:11:22:33',
  servidor: 'BNG Centro',
  ultima_queda: { em: '2026-11-10T13:04:10.000Z', causa: 'lost_carrier' },
  quedas_7_dias: 1,
  quedas_30_dias: 4,
};
