import { exigido, opcional } from '../campos/campos.ts';
import { codigoExterno, data, documento, email, escolha, lista, ouNulo, telefone, texto } from '../campos/leitores.ts';
import { enderecoDigitado } from '../enderecos/enderecos.campos.ts';

const MOTIVO = 500;

/** States that a person may give a client; the others follow from what is done. */
const SITUACOES_DADAS = ['ativo', 'inativo', 'observacao', 'pre_cadastro'] as const;

const MAIS_TELEFONES = 5;

/** A client as it is typed; what of it must agree is judged in cadastro.regras.ts. */
export const CAMPOS_DO_CLIENTE = {
  nome: exigido(texto(2, 160)),
  cpf_cnpj: exigido(documento),
  tipo: opcional(escolha(['pf', 'pj'])),
  nome_fantasia: opcional(ouNulo(texto(1, 160))),
  email: opcional(ouNulo(email)),
  telefones: opcional(lista(telefone, 0, MAIS_TELEFONES)),
  data_nascimento: opcional(ouNulo(data)),
  situacao: opcional(escolha(SITUACOES_DADAS)),
  endereco: opcional(enderecoDigitado),
  codigo_externo: opcional(ouNulo(codigoExterno)),
} as const;

/** How a client is cancelled. `faturas_futuras`: what becomes of open invoices that are due after today. */
export const CAMPOS_DO_CANCELAMENTO = {
  motivo: opcional(ouNulo(texto(1, MOTIVO))),
  faturas_futuras: opcional(escolha(['manter', 'cancelar'])),
} as const;
