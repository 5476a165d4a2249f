import type { Adaptador } from '../psp.types.ts';

export const SICOOB: Adaptador = {
  nome: 'Sicoob',
  base: 'https://api.sicoob.com.br/pix/api/v2',
  token: 'https://auth.sicoob.com.br/auth/realms/cooperado/protocol/openid-connect/token',
  modo: 'form',
  idNoCabecalho: 'client_id',
  semSegredo: true,
};
