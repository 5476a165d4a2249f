import { getBankByCode } from '@brazilian-utils/brazilian-utils/get-bank-by-code';

/** Onde a conta dá 10 o usual é imprimir 0 (104-0); estes bancos imprimem outro. */
const DIGITOS_PROPRIOS: Readonly<Record<string, string>> = { '085': '1', '748': 'X' };

export interface BancoImpresso {
  readonly nome: string;
  /** Com o dígito: '237-2'. */
  readonly codigo: string;
}

/** O banco de um código de barras, pelos três primeiros dígitos. */
export function bancoDoCodigo(codigoBarras: string): BancoImpresso {
  const codigo = codigoBarras.slice(0, 3);
  return { nome: getBankByCode(codigo)?.name ?? `Banco ${codigo}`, codigo: `${codigo}-${digito(codigo)}` };
}

/** Módulo 11 com pesos 4, 3 e 2; os resultados 10 e 11 viram 0 (layout da ficha de compensação, FEBRABAN). */
function digito(codigo: string): string {
  const soma = Array.from(codigo).reduce((total, d, i) => total + Number(d) * (4 - i), 0);
  const resultado = 11 - (soma % 11);
  return DIGITOS_PROPRIOS[codigo] ?? String(resultado > 9 ? 0 : resultado);
}
