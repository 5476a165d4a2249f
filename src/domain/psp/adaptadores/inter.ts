import type { Adaptador } from '../psp.types.ts';

export const INTER: Adaptador = {
  nome: 'Inter',
  base: 'https://cdpj.partners.bancointer.com.br/pix/v2',
  token: 'https://cdpj.partners.bancointer.com.br/oauth/v2/token',
  modo: 'form',
};
