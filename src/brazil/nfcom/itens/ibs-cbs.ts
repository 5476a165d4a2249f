import type { Data } from '../../calendario/datas.ts';
import type { RegrasIbsCbs } from '../base/tributos.types.ts';

const dia = (texto: string): Data => texto as Data;

/**
 * What is known of IBS and CBS on communication services, for settings to begin with. 2026 is a test year (LC 214/2025,
 * art. 343-348): 0.1 % for the state, 0.9 % for the Union, shown and not added. The Simples is dispensed in it. Dates
 * of the rejection are those of the NF-e, because the NFCom's own has not been told; rates of 2027 neither, so those of
 * 2026 hold until the setting is changed.
 */
export const IBS_CBS_PADRAO: RegrasIbsCbs = {
  desde: { normal: dia('2026-01-01'), simples: dia('2027-01-01') },
  exigidoDesde: { normal: dia('2026-08-03'), simples: dia('2027-01-04') },
  somadoDesde: dia('2027-01-01'),
  aliquotas: [{ desde: dia('2026-01-01'), ibsUf: 1000, ibsMunicipio: 0, cbs: 9000 }],
};
