import { grupo, opcional } from '../campos/campos.ts';
import { cep, ouNulo, texto, uf } from '../campos/leitores.ts';

/** An address as it is typed; what is missing of it is not known. */
const CAMPOS_DO_ENDERECO = {
  cep: opcional(ouNulo(cep)),
  logradouro: opcional(ouNulo(texto(1, 160))),
  numero: opcional(ouNulo(texto(1, 20))),
  complemento: opcional(ouNulo(texto(1, 80))),
  bairro: opcional(ouNulo(texto(1, 80))),
  cidade: opcional(ouNulo(texto(1, 80))),
  uf: opcional(ouNulo(uf)),
} as const;

export const enderecoDigitado = grupo(CAMPOS_DO_ENDERECO);
