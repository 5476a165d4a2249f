import { getBankByCode } from '@brazilian-utils/brazilian-utils/get-bank-by-code';

/** When the result is 10, most banks print 0 (104-0). These banks print another digit. */
const OWN_DIGITS: Readonly<Record<string, string>> = { '085': '1', '748': 'X' };

export interface PrintedBank {
  readonly name: string;
  /** With the check digit: '237-2'. */
  readonly code: string;
}

/** The bank of a bar code, by its first three digits. */
export function bankOf(codigoBarras: string): PrintedBank {
  const code = codigoBarras.slice(0, 3);
  return { name: getBankByCode(code)?.name ?? `Banco ${code}`, code: `${code}-${checkDigit(code)}` };
}

/** Modulo 11 with the weights 4, 3 and 2; 10 and 11 become 0 (FEBRABAN, layout of the ficha de compensação). */
function checkDigit(code: string): string {
  const sum = Array.from(code).reduce((total, d, i) => total + Number(d) * (4 - i), 0);
  const result = 11 - (sum % 11);
  return OWN_DIGITS[code] ?? String(result > 9 ? 0 : result);
}
