import { getBankByCode } from '@brazilian-utils/brazilian-utils/get-bank-by-code';

/** Where the result is 10 most print 0 (104-0); these banks print another character. */
const DIGITOS_PROPRIOS: Readonly<Record<string, string>> = { '085': '1', '748': 'X' };

export interface BancoImpresso {
  readonly nome: string;
  /** With its digit: '237-2'. */
  readonly codigo: string;
}

/** The bank of a bar code, by its first three digits. */
export function bancoDoCodigo(codigoBarras: string): BancoImpresso {
  const codigo = codigoBarras.slice(0, 3);
  return { nome: getBankByCode(codigo)?.name ?? `Banco ${codigo}`, codigo: `${codigo}-${digito(codigo)}` };
}

/** Modulo 11 with weights 4, 3 and 2; the results 10 and 11 become 0 (FEBRABAN, layout of the ficha de compensação). */
function digito(codigo: string): string {
  const soma = Array.from(codigo).reduce((total, d, i) => total + Number(d) * (4 - i), 0);
  const resultado = 11 - (soma % 11);
  return DIGITOS_PROPRIOS[codigo] ?? String(resultado > 9 ? 0 : resultado);
}
