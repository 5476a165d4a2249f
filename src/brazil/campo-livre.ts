import { modulo10, modulo11 } from './modulos.ts';

// Escrito à mão: nenhuma biblioteca mantida lê o campo livre.

/** O que um banco põe no campo livre do seu boleto e também vai impresso no papel. Null onde não o põe. */
export interface CampoLivre {
  readonly agencia: string | null;
  /** Conta ou código do beneficiário. */
  readonly codigo: string | null;
  readonly carteira: string | null;
  /** O que o nosso número tem de próprio, sem dígito verificador. */
  readonly numero: string;
}

/** O que se imprime, com a pontuação e os dígitos que cada banco lhe dá. Null onde não se diz nada. */
export interface DadosImpressos {
  /** Agência e código do beneficiário, nesta ordem. */
  readonly agenciaCodigo: string | null;
  readonly carteira: string | null;
  readonly nossoNumero: string | null;
}

/** O texto na forma do banco, com os seus dígitos verificadores certos; null em qualquer outra. */
type Leitor = (campo: string) => CampoLivre | null;

/** Os que têm outra forma (Itaú, cobrança por carteiras diretas com seu número). */
const OUTRA_FORMA_NO_ITAU = ['106', '107', '122', '142', '143', '195', '196', '198'];
/** As carteiras cujo dígito não conta a agência e a conta. */
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
 * O campo livre de um código de barras de cobrança, dos oito bancos de que se conhece a forma. Null dos outros, e onde os dígitos
 * verificadores do próprio campo não fecham: então ele tem outra forma, que não se conhece.
 */
export function lerCampoLivre(codigoBarras: string): CampoLivre | null {
  return LEITORES.get(codigoBarras.slice(0, 3))?.(codigoBarras.slice(19)) ?? null;
}

/**
 * O primeiro dos dados impressos que não pode ser o do campo livre. Só os algarismos contam, e o que o banco acrescenta (dígitos, posto,
 * variação) é aceito; por isso um outro dado pode passar, e um certo nunca é recusado.
 */
export function contradiz(campo: CampoLivre, impressos: DadosImpressos): keyof DadosImpressos | null {
  const { agenciaCodigo, carteira, nossoNumero } = impressos;
  const titulo = algarismos(nossoNumero);
  // Depois do número vem no máximo um dígito verificador; antes dele, a carteira, o convênio ou zeros.
  const fim = semZeros(campo.numero);
  if (titulo !== '' && !titulo.endsWith(fim) && !titulo.slice(0, -1).endsWith(fim)) return 'nossoNumero';
  if (!contem(algarismos(agenciaCodigo), campo.agencia, campo.codigo)) return 'agenciaCodigo';
  const [impressa] = /\d+/.exec(carteira ?? '') ?? [];
  const outra = impressa !== undefined && campo.carteira !== null && Number(impressa) !== Number(campo.carteira);
  return outra ? 'carteira' : null;
}

const algarismos = (texto: string | null): string => (texto ?? '').replaceAll(/\D/g, '');
const semZeros = (numero: string): string => numero.replace(/^0+/, '');

/** Se os algarismos contêm os números, nesta ordem. Onde não há algarismos nada se diz. */
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

/** Convênio de 7 dígitos; os de 4 e 6 têm outras formas. O papel traz a agência e a conta, que não vão no campo. */
function bancoDoBrasil(campo: string): CampoLivre | null {
  const [, numero = '', carteira = ''] = /^0{6}\d{7}(\d{10})(\d{2})$/.exec(campo) ?? [];
  return numero === '' ? null : { agencia: null, codigo: null, carteira, numero };
}

function santander(campo: string): CampoLivre | null {
  const [, codigo = '', numero = '', dv, carteira = ''] = /^9(\d{7})(\d{12})(\d)0(\d{3})$/.exec(campo) ?? [];
  return numero === '' || digito11(numero) !== dv ? null : { agencia: null, codigo, carteira, numero };
}

/** O papel traz a conta, que não vai no campo. */
function inter(campo: string): CampoLivre | null {
  const [, numero = ''] = /^0001112\d{7}(\d{10})\d$/.exec(campo) ?? [];
  return numero === '' ? null : { agencia: '0001', codigo: null, carteira: '112', numero };
}

/** O papel traz a carteira por extenso (RG, SR). De um código de 7 dígitos confere-se o começo. */
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

/** De um nosso número: cooperativa de 4 dígitos, cliente de 7, número de 7; pesos 3, 1, 9 e 7 da esquerda para a direita. */
export function digitoDoSicoob(cooperativa: string, cliente: string, numero: string): string {
  const contados = Array.from(cooperativa + cliente.padStart(10, '0') + numero, Number);
  const resto = contados.reduce((soma, algarismo, i) => soma + algarismo * Number('3197'.charAt(i % 4)), 0) % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}

/** Os resultados 10 e 11 viram 0. */
function digito11(digitos: string): string {
  const resultado = modulo11(digitos);
  return String(resultado > 9 ? 0 : resultado);
}
