import type { Campos } from '../formulario.ts';

export const ENDERECO: Campos = {
  cep: 'CEP da instalação',
  logradouro: 'logradouro da instalação',
  numero: 'número',
  complemento: 'complemento',
  bairro: 'bairro',
  cidade: 'cidade',
  uf: 'unidade da federação, como MG',
};

export const CONDICOES: Campos = {
  dia_vencimento: 'dia do vencimento, de 1 a 31',
  valor: 'valor mensal em reais, como 99.90',
  codigo_externo: 'código em outro sistema, como ixc:123',
};

/** What staff can say of a contract besides its conditions. */
export const LINHA: Campos = {
  tipo_cobranca: 'pos_pago, pre_pago ou isento',
  tipo_conexao: 'pppoe ou ipoe',
  login: 'login PPPoE, ou o MAC ou circuit-id de IPoE, como o NAS o envia',
  mac: 'MAC',
  ip: 'IPv4 fixo',
  ipv6_prefixo: 'prefixo IPv6 delegado, como 2001:db8:100::/56',
};

export const MOTIVO: Campos = { motivo: 'por quê; fica no histórico' };
export const VERSAO: Campos = {
  atualizado_em: 'só se ninguém o alterou desde este instante (o atualizado_em que se leu)',
};
/** Of what may make a client of a pre-registration. */
export const CONFIRMADO = 'e-mail e telefones foram confirmados com o titular, que já tem outro cadastro';
export const FATURAS_FUTURAS: Campos = {
  faturas_futuras: 'manter ou cancelar as faturas abertas que ainda não venceram',
};
