import type { Adaptador } from '../psp.types.ts';

export const ITAU: Adaptador = {
  nome: 'Itaú',
  base: 'https://secure.api.itau/pix_recebimentos/v2',
  token: 'https://sts.itau.com.br/api/oauth/token',
  modo: 'form',
};
