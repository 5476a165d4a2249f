import type { Data } from '../../../brazil/calendario/datas.ts';
import type { RegrasIbsCbs } from '../../../brazil/nfcom/tributos.types.ts';

const dia = (texto: string): Data => texto as Data;

/**
 * IBS and CBS where a provider set nothing else (LC 214/2025): 2026 is a year of test, in which they are shown and not added, and from which
 * the Simples is dispensed (art. 348). The date from which the authority rejects notes without them is not published for the NFCom; these
 * are those of the NF-e.
 */
export const IBS_CBS_DE_FABRICA: RegrasIbsCbs = {
  desde: { simples: dia('2027-01-01'), normal: dia('2026-01-01') },
  exigidoDesde: { simples: dia('2027-01-04'), normal: dia('2026-08-03') },
  somadoDesde: dia('2027-01-01'),
  aliquotas: [{ desde: dia('2026-01-01'), ibsUf: 1000, ibsMunicipio: 0, cbs: 9000 }],
};
