import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Guardado } from './apagamento.types.ts';

/** Longer than any year. */
const UM_ANO = 366;
const DOIS_ANOS = 731;
const ANOS_FISCAIS = 5;

/**
 * Why the law has data kept that a person wants erased (LGPD, art. 16, I). Each says until when, as the last day of keeping, counted from
 * the day of what it is about.
 */
export const PRAZOS = {
  /**
   * Books and documents of taxable facts are kept until claims lapse (CTN, art. 195, sole paragraph): five years from the first day of
   * the year after the fact (art. 173, I). Longer than the five years of a debt (Civil Code, art. 206, §5, I) and of a consumer's
   * claim (CDC, art. 27).
   */
  fiscal: {
    porque: 'documentos fiscais e de cobrança (CTN, arts. 173 e 195; CDC, art. 27)',
    ate: (dia: Data): Data => `${Number(dia.slice(0, 4)) + ANOS_FISCAIS}-12-31` as Data,
  },
  /** Connection records for a year (Marco Civil, art. 13), which are of nobody without the login and whose it was. */
  conexao: {
    porque: 'registros de conexão (Marco Civil da Internet, art. 13)',
    ate: (dia: Data): Data => somarDias(dia, UM_ANO),
  },
  /** What a consumer asked for stays at his and the authority's disposal for two years from its solution (Decree 11,034/2022, art. 12). */
  atendimento: {
    porque: 'registro do atendimento ao consumidor (Decreto 11.034/2022, art. 12)',
    ate: (dia: Data): Data => somarDias(dia, DOIS_ANOS),
  },
} as const;

/** What is kept of something for several reasons or of several rows: until the last of their days. Null where no day is left. */
export function guardar(dado: string, porque: string, dias: readonly Data[]): Guardado | null {
  const [primeiro, ...outros] = dias.toSorted();
  return primeiro === undefined ? null : { dado, porque, primeiro, ate: outros.at(-1) ?? primeiro };
}
