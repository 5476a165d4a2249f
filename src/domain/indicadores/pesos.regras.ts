import { proximoDiaUtil } from '../../brazil/calendario/calendario-bancario.ts';
import { diasEntre } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { RegrasCobranca } from '../provedores/provedores.types.ts';

/** By how much an invoice of a due date grows: fine in hundredths of a percent, interest the same times days. */
export function pesosDe(regras: RegrasCobranca, vencimento: Data, hoje: Data): { multa: number; juros: number } {
  const dias = hoje <= vencimento ? 0 : Math.max(0, diasEntre(proximoDiaUtil(vencimento, regras.calendario), hoje));
  if (dias <= regras.carenciaDias) return { multa: 0, juros: 0 };
  return { multa: regras.multaPercentual, juros: regras.jurosMensalPercentual * dias };
}
