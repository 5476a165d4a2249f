import { exigido, opcional } from '../campos/campos.ts';
import {
  codigoExterno,
  escolha,
  id,
  inteiro,
  ipv4,
  login,
  mac,
  ouNulo,
  preco,
  prefixoIpv6,
  senhaDaLinha,
} from '../campos/leitores.ts';
import { enderecoDigitado } from '../enderecos/enderecos.campos.ts';

/** How a line is told apart: by a name and password, or (IPoE) by its MAC or circuit-id, which is the login then. */
const TIPOS_DE_CONEXAO = ['pppoe', 'ipoe'] as const;

/** A contract as it is typed. `valor`: what is missing is the plan's. */
export const CAMPOS_DO_CONTRATO = {
  cliente_id: exigido(id),
  plano_id: exigido(id),
  dia_vencimento: exigido(inteiro(1, 31)),
  tipo_cobranca: opcional(escolha(['pos_pago', 'pre_pago', 'isento'])),
  valor: opcional(preco),
  tipo_conexao: opcional(escolha(TIPOS_DE_CONEXAO)),
  login: opcional(ouNulo(login)),
  senha: opcional(ouNulo(senhaDaLinha)),
  mac: opcional(ouNulo(mac)),
  ip: opcional(ouNulo(ipv4)),
  ipv6_prefixo: opcional(ouNulo(prefixoIpv6)),
  endereco_instalacao: opcional(enderecoDigitado),
  cobrador_id: opcional(ouNulo(id)),
  codigo_externo: opcional(ouNulo(codigoExterno)),
} as const;
