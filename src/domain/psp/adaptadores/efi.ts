import type { Adaptador } from '../psp.types.ts';

export const EFI: Adaptador = {
  nome: 'Efí',
  base: 'https://pix.api.efipay.com.br/v2',
  token: 'https://pix.api.efipay.com.br/oauth/token',
  modo: 'basic',
  noRegistro: { 'x-skip-mtls-checking': 'true' },
};
