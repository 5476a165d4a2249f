import { normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { lerData } from '../../brazil/calendario/datas.ts';
import { normalizarTelefone } from '../../brazil/pessoa/telefone.ts';

/** RFC 3339, section 5.6, without leap seconds; the day is judged by the calendar. */
const INSTANT = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A form that a field may have to have: how it is judged, and what is said where it has not. */
export interface Format<Code extends string = string> {
  /** Of texts; null: what the schema says beside it is all there is to judge. */
  readonly valid: ((text: string) => boolean) | null;
  /** The error's code; null: the surface's own for input that is not as declared. */
  readonly code: Code | null;
  /** With a code, the whole message; without, what follows the field's name. Null: what is said of any field. */
  readonly message: string | null;
  /** Whether documents name it; false where the schema says it all. */
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
  dinheiro: { valid: null, code: null, message: null, documented: true },
  /** Of a record, in a path. */
  id: {
    valid: null,
    code: 'id_invalido',
    message: 'id: informe um inteiro positivo, sem sinal nem zeros à esquerda.',
    documented: false,
  },
} as const satisfies Record<string, Format>;
