import { criarCalendarioBancario } from '../../../brazil/calendario/calendario-bancario.ts';
import { lerData, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../brazil/dinheiro/encargos.ts';
import type { RegrasCobranca } from '../provedores.types.ts';

/** What of a provider's rules says how an invoice grows; percentages in hundredths. */
export type RegrasDeEncargos = Pick<RegrasCobranca, 'multaPercentual' | 'jurosMensalPercentual' | 'carenciaDias'>;

export interface ExemploDeEncargos {
  readonly multa: Centavos;
  readonly juros: Centavos;
  readonly total: Centavos;
}

/** A Wednesday without holidays around it: an example has no calendar, so the days late are all counted. */
const VENCIMENTO = lerData('2026-03-11') as Data;
const SEM_FERIADOS = criarCalendarioBancario(null, []);

/** What an invoice of a value asks for so many days late. @throws RangeError where a number is no whole one, or negative */
export function exemploDeEncargos(regras: RegrasDeEncargos, valor: Centavos, diasDeAtraso: number): ExemploDeEncargos {
  const { multa, juros, total } = calcularEncargos({
    valor,
    vencimento: VENCIMENTO,
    hoje: somarDias(VENCIMENTO, diasDeAtraso),
    regras: { ...regras, calendario: SEM_FERIADOS },
  });
  return { multa, juros, total };
}
