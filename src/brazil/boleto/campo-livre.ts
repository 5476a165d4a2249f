import { digito11, modulo10 } from './modulos.ts';

// Written by hand: no maintained library reads the free field (campo livre).

/**
 * What a bank puts into the free field of its boleto and prints on the paper, too. Null where it does not put it there.
 */
export interface CampoLivre {
  readonly agencia: string | null;
  /** Account or code of the beneficiary. */
  readonly codigo: string | null;
  readonly carteira: string | null;
  /** The title's own part of the nosso número, without its check digit. */
  readonly numero: string;
}

/** What is printed, with the punctuation and the digits that each bank gives it. Null where nothing is said. */
export interface DadosImpressos {
  /** Branch (agência) and code of the beneficiary, in this order. */
  readonly agenciaCodigo: string | null;
  readonly carteira: string | null;
  readonly nossoNumero: string | null;
}

/** Reads a text of the bank's form whose check digits are right; null of any other. */
type Leitor = (campo: string) => CampoLivre | null;

/** Those that have another form (Itaú, cobrança por carteiras diretas com seu número). */
const OUTRA_FORMA_NO_ITAU = ['106', '107', '122', '142', '143', '195', '196', '198'];
/** Those whose check digit leaves out branch and account. */
const ITAU_SEM_AGENCIA = ['112', '126', '131', '146', '150', '168'];

const LEITORES: ReadonlyMap<string, Leitor> = new Map<string, Leitor>([
  ['001', bancoDoBrasil],
  ['033', santander],
  ['077', inter],
  ['104', caixa],
  ['237', bradesco],
  ['341', itau],
  ['748', sicredi],
  ['756', sicoob],
]);

/**
 * The free field of a bank's bar code, of the eight banks whose form is known. Null of the others, and where the
 * field's own check digits are wrong: then it has another form, which is not known.
 */
export function lerCampoLivre(codigoBarras: string): CampoLivre | null {
  return LEITORES.get(codigoBarras.slice(0, 3))?.(codigoBarras.slice(19)) ?? null;
}

/**
 * The first of what is printed that cannot be what the free field says. Digits alone count, and what the bank adds
 * (check digits, posto, variação) is accepted; so something else may pass, and what is right is never refused.
 */
export function contradiz(campo: CampoLivre, impressos: DadosImpressos): keyof DadosImpressos | null {
  const { agenciaCodigo, carteira, nossoNumero } = impressos;
  const titulo = algarismos(nossoNumero);
  // After the number comes one check digit at most; before it carteira, convênio or zeros.
  const fim = semZeros(campo.numero);
  if (titulo !== '' && !titulo.endsWith(fim) && !titulo.slice(0, -1).endsWith(fim)) return 'nossoNumero';
  if (!contem(algarismos(agenciaCodigo), campo.agencia, campo.codigo)) return 'agenciaCodigo';
  const [impressa] = /\d+/.exec(carteira ?? '') ?? [];
  const outra = impressa !== undefined && campo.carteira !== null && Number(impressa) !== Number(campo.carteira);
  return outra ? 'carteira' : null;
}

const algarismos = (texto: string | null): string => (texto ?? '').replaceAll(/\D/g, '');
const semZeros = (numero: string): string => numero.replace(/^0+/, '');

/** Whether the digits contain the numbers, in this order. Where there are no digits, nothing is said. */
function contem(digitos: string, ...numeros: readonly (string | null)[]): boolean {
  if (digitos === '') return true;
  let onde = 0;
  for (const numero of numeros) {
    const procurado = semZeros(numero ?? '');
    const achado = digitos.indexOf(procurado, onde);
    if (achado < 0) return false;
    onde = achado + procurado.length;
  }
  return true;
}

/**
 * Of a convênio of 7 digits; those of 4 and 6 have other forms. The paper has branch and account, which the field does
 * not.
 */
function bancoDoBrasil(campo: string): CampoLivre | null {
  const [, numero = '', carteira = ''] = /^0{6}\d{7}(\d{10})(\d{2})$/.exec(campo) ?? [];
  return numero === '' ? null : { agencia: null, codigo: null, carteira, numero };
}

function santander(campo: string): CampoLivre | null {
  const [, codigo = '', numero = '', dv, carteira = ''] = /^9(\d{7})(\d{12})(\d)0(\d{3})$/.exec(campo) ?? [];
  return numero === '' || digito11(numero) !== dv ? null : { agencia: null, codigo, carteira, numero };
}

/** The paper has the account, which the field does not. */
function inter(campo: string): CampoLivre | null {
  const [, numero = ''] = /^0001112\d{7}(\d{10})\d$/.exec(campo) ?? [];
  return numero === '' ? null : { agencia: '0001', codigo: null, carteira: '112', numero };
}

/** The paper has the carteira in letters (RG, SR). Of a code of 7 digits, the first 6 are checked. */
function caixa(campo: string): CampoLivre | null {
  const [, codigo = '', n1 = '', n2 = '', n3 = ''] = /^(\d{6})\d(\d{3})\d(\d{3})\d(\d{9})\d$/.exec(campo) ?? [];
  if (codigo === '' || digito11(campo.slice(0, 24)) !== campo.charAt(24)) return null;
  return { agencia: null, codigo, carteira: null, numero: n1 + n2 + n3 };
}

function bradesco(campo: string): CampoLivre | null {
  const [, agencia = '', carteira = '', numero = '', codigo = ''] =
    /^(\d{4})(\d{2})(\d{11})(\d{7})0$/.exec(campo) ?? [];
  return numero === '' ? null : { agencia, codigo, carteira, numero };
}

function itau(campo: string): CampoLivre | null {
  const [, carteira = '', numero = '', dac, agencia = '', codigo = '', dv] =
    /^(\d{3})(\d{8})(\d)(\d{4})(\d{5})(\d)000$/.exec(campo) ?? [];
  if (numero === '' || OUTRA_FORMA_NO_ITAU.includes(carteira)) return null;
  const contados = (ITAU_SEM_AGENCIA.includes(carteira) ? '' : agencia + codigo) + carteira + numero;
  if (modulo10(contados) !== dac || modulo10(agencia + codigo) !== dv) return null;
  return { agencia, codigo, carteira, numero };
}

function sicredi(campo: string): CampoLivre | null {
  const [, carteira = '', numero = '', agencia = '', codigo = ''] =
    /^[13](\d)(\d{8})\d(\d{4})\d{2}(\d{5})10\d$/.exec(campo) ?? [];
  if (numero === '' || digito11(campo.slice(0, 24)) !== campo.charAt(24)) return null;
  return { agencia, codigo, carteira, numero };
}

function sicoob(campo: string): CampoLivre | null {
  const [, carteira = '', agencia = '', codigo = '', numero = '', dv] =
    /^(\d)(\d{4})\d{2}(\d{7})(\d{7})(\d)\d{3}$/.exec(campo) ?? [];
  if (numero === '') return null;
  return digitoDoSicoob(agencia, codigo, numero) === dv ? { agencia, codigo, carteira, numero } : null;
}

/** Of a nosso número: cooperativa of 4 digits, cliente of 7, number of 7; weights 3, 1, 9 and 7 from left to right. */
export function digitoDoSicoob(cooperativa: string, cliente: string, numero: string): string {
  const contados = Array.from(cooperativa + cliente.padStart(10, '0') + numero, Number);
  const resto = contados.reduce((soma, algarismo, i) => soma + algarismo * Number('3197'.charAt(i % 4)), 0) % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}
