import type { Adaptador } from '../psp.types.ts';

export const SICREDI: Adaptador = {
  nome: 'Sicredi',
  base: 'https://api-pix.sicredi.com.br/api',
  token: 'https://api-pix.sicredi.com.br/oauth/token',
  modo: 'basic',
  caminhos: { cob: '/v3/cob', cobv: '/v2/cobv', pix: '/v2/pix', webhook: '/v2/webhook' },
};
