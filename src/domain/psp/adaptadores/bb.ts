import type { Adaptador } from '../psp.types.ts';

export const BB: Adaptador = {
  nome: 'Banco do Brasil',
  base: 'https://api-pix.bb.com.br/pix/v2',
  token: 'https://oauth.bb.com.br/oauth/token',
  modo: 'basic',
  chaveNaConsulta: 'gw-dev-app-key',
};
