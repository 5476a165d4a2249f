import type { Adaptador } from '../psp.types.ts';

export const SANTANDER: Adaptador = {
  nome: 'Santander',
  base: 'https://trust-pix.santander.com.br/api/v1',
  token: 'https://trust-pix.santander.com.br/oauth/token',
  modo: 'query',
};
