import { campos, evento, quantos } from './evento.ts';

/** What a provider has its network told. */
export const DA_REDE = {
  'provedor.rede_configurada': evento({
    descricao: 'Mudaram campos do que a rede do provedor ouve.',
    sai: false,
    dados: campos({ campos: { type: 'array', items: { type: 'string' } } }),
    exemplo: { campos: ['bloqueio', 'bloqueio_nome'] },
  }),
  'provedor.rede_aplicada': evento({
    descricao: 'Mandou-se conferir na rede todos os logins do provedor.',
    sai: false,
    dados: campos({ contratos: quantos }),
    exemplo: { contratos: 1200 },
  }),
} as const;
