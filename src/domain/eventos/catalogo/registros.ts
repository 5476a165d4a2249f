import { campos, evento, instante } from './evento.ts';

/** What is asked of connection records: for the audit log, which is kept for ever and so says neither the address nor who had it. */
export const DOS_REGISTROS = {
  'registro_conexao.consultado': evento({
    descricao: 'Perguntou-se quem usava um endereço: por que ordem, e de que instante.',
    sai: false,
    dados: campos({
      motivo: { type: 'string' },
      instante,
      versao: { type: 'string', enum: ['ipv4', 'ipv6'] },
      com_porta: { type: 'boolean' },
    }),
    exemplo: {
      motivo: 'Ofício 123/2026, 2ª Vara Criminal',
      instante: '2026-11-20T17:03:09.000Z',
      versao: 'ipv4',
      com_porta: true,
    },
  }),
} as const;
