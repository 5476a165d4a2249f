import type { Adaptador } from '../psp.types.ts';

export const BRADESCO: Adaptador = {
  nome: 'Bradesco',
  base: 'https://qrpix.bradesco.com.br/v2',
  token: 'https://qrpix.bradesco.com.br/auth/server/oauth/token',
  modo: 'basic',
};
