import { opcional } from '../campos/campos.ts';
import { id, inteiro, ouNulo } from '../campos/leitores.ts';

/** Days that an invite holds where nobody says how many. */
export const DIAS_PADRAO = 7;
const MAIS_DIAS = 365;

/** An invite as it is typed; without a plan or a due day, whoever registers chooses. */
export const CAMPOS_DO_CONVITE = {
  plano_id: opcional(ouNulo(id)),
  dia_vencimento: opcional(ouNulo(inteiro(1, 30))),
  validade_dias: opcional(inteiro(1, MAIS_DIAS)),
} as const;
