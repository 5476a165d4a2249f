import type { Data } from '../../calendario/datas.ts';
import type { Convenio } from '../convenio.types.ts';

/** How many remessas of an agreement a bank takes on a day, where it says so: their names tell them apart. */
export function arquivosPorDia({ banco }: Pick<Convenio, 'banco'>): number {
  return banco === '748' ? 10 : banco === '237' ? 99 : Infinity;
}

/**
 * The name that the bank wants for a remessa; of banks without a rule: bank, agreement and number of the file.
 * `doDia` is which file of the day it is, from 1.
 * Sources: Sicredi's manual of 2014 (CCCCCMDD.CRM, then .RM2 to .RM9 and .RM0); Bradesco's of 2014 (CBDDMM??.REM, .TST for tests);
 * Inter's as public programs have it.
 * @throws {RangeError} where the bank takes no more files on a day.
 */
export function nomeDaRemessa(convenio: Convenio, nsa: number, hoje: Data, doDia: number): string {
  const [, mes = '', dia = ''] = hoje.split('-');
  if (doDia < 1 || doDia > arquivosPorDia(convenio)) {
    throw new RangeError(`o banco recebe até ${arquivosPorDia(convenio)} arquivos por dia`);
  }
  const codigo = convenio.convenio === '' ? convenio.conta : convenio.convenio;
  if (convenio.banco === '748') {
    const extensao = doDia === 1 ? 'CRM' : `RM${doDia % 10}`;
    return `${codigo}${'123456789OND'.charAt(Number(mes) - 1)}${dia}.${extensao}`;
  }
  if (convenio.banco === '237') {
    return `CB${dia}${mes}${String(doDia).padStart(2, '0')}.${convenio.teste ? 'TST' : 'REM'}`;
  }
  if (convenio.banco === '077') return `CI400_001_${String(nsa).padStart(7, '0')}.REM`;
  return `${convenio.banco}-${codigo}-${String(nsa).padStart(6, '0')}.REM`;
}
