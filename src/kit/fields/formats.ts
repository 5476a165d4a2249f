import { normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { lerData } from '../../brazil/calendario/datas.ts';
import { normalizarTelefone } from '../../brazil/pessoa/telefone.ts';

/** RFC 3339, section 5.6, without leap seconds. Whether the day exists is checked separately. */
const INSTANT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A format of a field: how it is checked, and the error of a value that does not have it. */
export interface Format<Code extends string = string> {
  /** Checks a text; null when the rest of the schema checks everything. */
  readonly valid: ((text: string) => boolean) | null;
  /** The error's code; null for the surface's general code for invalid input. */
  readonly code: Code | null;
  /** With a code, the whole message; without one, what follows the field's name. Null for the general message. */
  readonly message: string | null;
  /** Whether the OpenAPI document names the format; false when the rest of the schema says everything. */
  readonly documented: boolean;
}

/** Every format of a field. */
export const FORMATS = {
  date: {
    valid: (text) => lerData(text) !== null,
    code: null,
    message: 'deve ser uma data que exista, na forma AAAA-MM-DD',
    documented: true,
  },
  'date-time': {
    valid: (text) => INSTANT.test(text) && lerData(text.slice(0, 10)) !== null,
    code: null,
    message: 'deve ser uma data e hora ISO 8601',
    documented: true,
  },
  cpf_cnpj: {
    valid: (text) => normalizarCpfCnpj(text) !== null,
    code: 'cpf_cnpj_invalido',
    message: 'cpf_cnpj: informe um CPF (11 dígitos) ou CNPJ (14 posições).',
    documented: true,
  },
  telefone: {
    valid: (text) => normalizarTelefone(text) !== null,
    code: 'telefone_invalido',
    message: 'telefone: informe de 10 a 13 dígitos, com DDD.',
    documented: true,
  },
  /** Taken as it was typed, blanks at its ends included. */
  password: { valid: null, code: null, message: null, documented: true },
  dinheiro: { valid: null, code: null, message: null, documented: true },
  /** The id of a record, in a path. */
  id: {
    valid: null,
    code: 'id_invalido',
    message: 'id: informe um inteiro positivo, sem sinal nem zeros à esquerda.',
    documented: false,
  },
} as const satisfies Record<string, Format>;
