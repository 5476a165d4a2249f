import { digito11, modulo10 } from '../boleto/modulos.ts';
import { ajustesDe } from './ajustes.ts';
import type { Convenio, NossoNumero } from './convenio.types.ts';

/** Those whose check digit leaves out branch and account. */
const ITAU_SEM_AGENCIA = ['112', '126', '131', '146', '150', '168'];

/** Digits of a sequence in the nosso número. Santander: CNAB 400 has room for 7 and the check digit. */
const DIGITOS_DA_SEQUENCIA: Readonly<Record<Convenio['banco'], number>> = {
  '001': 10,
  '033': 7,
  '077': 10,
  '104': 15,
  '237': 11,
  '341': 8,
  '748': 5,
  '756': 7,
};

/** The last number of an agreement (at Sicredi, of each year). */
export function sequenciaMaxima({ banco }: Convenio): number {
  return Math.min(10 ** DIGITOS_DA_SEQUENCIA[banco] - 1, Number.MAX_SAFE_INTEGER);
}

/**
 * The nosso número of a sequence, from 1, and its check digit. `ano` counts at Sicredi only (four digits).
 * Sources: the table of free fields in `docs/bancos.md`; each bank's manual.
 * @throws {RangeError} when the sequence is used up, or the agreement is not that of its bank.
 */
export function nossoNumero(convenio: Convenio, sequencia: number, ano: number): NossoNumero {
  if (!Number.isSafeInteger(sequencia) || sequencia < 1 || sequencia > sequenciaMaxima(convenio)) {
    throw new RangeError(`sequência fora da que o banco tem: ${sequencia}`);
  }
  const numero =
    antesDaSequencia(convenio, ano) + String(sequencia).padStart(DIGITOS_DA_SEQUENCIA[convenio.banco], '0');
  return { nossoNumero: numero, dv: digitoDoNossoNumero(convenio, numero) };
}

function antesDaSequencia(convenio: Convenio, ano: number): string {
  const { byte, modalidade } = ajustesDe(convenio);
  if (convenio.banco === '001') return preencher(convenio.convenio, 7);
  if (convenio.banco === '748') return String(ano % 100).padStart(2, '0') + byte;
  if (convenio.banco === '104') return modalidade;
  return convenio.banco === '033' ? '00000' : '';
}

/**
 * The check digit of a nosso número; '' where there is none.
 * @throws {RangeError} when the number is not of the bank's form.
 */
export function digitoDoNossoNumero(convenio: Convenio, numero: string): string {
  const tamanho = TAMANHO[convenio.banco];
  if (!/^\d+$/.test(numero) || numero.length !== tamanho) throw new RangeError(`nosso número tem ${tamanho} dígitos`);
  return DIGITOS[convenio.banco](numero, convenio);
}

const DIGITOS: Readonly<Record<Convenio['banco'], (numero: string, convenio: Convenio) => string>> = {
  '001': () => '',
  '033': digito11,
  '077': (numero, { agencia, carteira }) => modulo10(preencher(agencia, 4) + preencher(carteira, 3) + numero),
  '104': digito11,
  '237': (numero, { carteira }) => digitoBradesco(preencher(carteira, 2) + numero),
  '341': (numero, { agencia, conta, carteira }) => {
    const daConta = ITAU_SEM_AGENCIA.includes(carteira) ? '' : preencher(agencia, 4) + preencher(conta, 5);
    return modulo10(daConta + preencher(carteira, 3) + numero);
  },
  '748': (numero, { agencia, posto, convenio }) =>
    digito11(preencher(agencia, 4) + preencher(posto, 2) + preencher(convenio, 5) + numero),
  '756': (numero, { agencia, convenio }) => digitoSicoob(preencher(agencia, 4) + preencher(convenio, 10) + numero),
};

const TAMANHO: Readonly<Record<Convenio['banco'], number>> = {
  '001': 17,
  '033': 12,
  '077': 10,
  '104': 17,
  '237': 11,
  '341': 8,
  '748': 8,
  '756': 7,
};

/** Whether a text has the form of the bank's nosso número without its digit. */
export function formaDoNossoNumero(banco: Convenio['banco'], numero: string): boolean {
  return numero.length === TAMANHO[banco] && /^\d+$/.test(numero);
}

/**
 * The free field of the bar code, 25 digits, of a nosso número without its digit. For `gerarCodigoBarras`.
 * @throws {RangeError} when agreement or number are not of the bank's form.
 */
export function campoLivre(convenio: Convenio, numero: string): string {
  const campo = CAMPOS_LIVRES[convenio.banco](convenio, numero, numero + digitoDoNossoNumero(convenio, numero));
  if (!/^\d{25}$/.test(campo)) throw new RangeError('o convênio não dá um campo livre de 25 dígitos');
  return campo;
}

type Compositor = (convenio: Convenio, numero: string, comDigito: string) => string;

const CAMPOS_LIVRES: Readonly<Record<Convenio['banco'], Compositor>> = {
  '001': ({ carteira }, numero) => `000000${numero}${preencher(carteira, 2)}`,
  '033': ({ convenio, carteira }, _, comDigito) => `9${preencher(convenio, 7)}${comDigito}0${preencher(carteira, 3)}`,
  '077': ({ agencia, carteira, convenio }, _, comDigito) =>
    preencher(agencia, 4) + preencher(carteira, 3) + preencher(convenio, 7) + comDigito,
  '104': ({ convenio }, numero) => campoDaCaixa(convenio, numero),
  '237': ({ agencia, carteira, conta }, numero) =>
    `${preencher(agencia, 4)}${preencher(carteira, 2)}${numero}${preencher(conta, 7)}0`,
  '341': ({ agencia, conta, carteira }, _, comDigito) => {
    const daConta = preencher(agencia, 4) + preencher(conta, 5);
    return `${preencher(carteira, 3)}${comDigito}${daConta}${modulo10(daConta)}000`;
  },
  '748': (convenio, _, comDigito) => {
    const { agencia, posto, carteira } = convenio;
    const dono = preencher(agencia, 4) + preencher(posto, 2) + preencher(convenio.convenio, 5);
    const antes = `${ajustesDe(convenio).tipoCobranca}${preencher(carteira, 1)}${comDigito}${dono}10`;
    return antes + digito11(antes);
  },
  '756': (convenio, _, comDigito) => {
    const { modalidade, parcela } = ajustesDe(convenio);
    const dono = preencher(convenio.carteira, 1) + preencher(convenio.agencia, 4);
    return dono + modalidade + preencher(convenio.convenio, 7) + comDigito + parcela;
  },
};

/** SIGCB. A beneficiary of 7 digits takes the place of its own check digit. */
function campoDaCaixa(codigo: string, n: string): string {
  const beneficiario = codigo.length > 6 ? codigo : preencher(codigo, 6) + digito11(preencher(codigo, 6));
  const antes = `${beneficiario}${n.slice(2, 5)}${n.charAt(0)}${n.slice(5, 8)}${n.charAt(1)}${n.slice(8, 17)}`;
  return antes + digito11(antes);
}

/** Weights 2 to 7 from the right: the rest 0 gives 0, and 1 gives P. */
function digitoBradesco(digitos: string): string {
  const resto = somar(digitos, (doFim) => 2 + (doFim % 6)) % 11;
  if (resto < 2) return resto === 0 ? '0' : 'P';
  return String(11 - resto);
}

/** Weights 3, 1, 9, 7 from the left. */
function digitoSicoob(digitos: string): string {
  const resto = somar(digitos, (doFim) => [3, 1, 9, 7][(digitos.length - 1 - doFim) % 4] ?? 0) % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}

function somar(digitos: string, peso: (doFim: number) => number): number {
  return Array.from(digitos, Number).reduce((soma, n, i) => soma + n * peso(digitos.length - 1 - i), 0);
}

/** @throws {RangeError} for what is no digits, or more than there is room for. */
function preencher(digitos: string, tamanho: number): string {
  if (!/^\d+$/.test(digitos) || digitos.length > tamanho)
    throw new RangeError(`o convênio tem um código que não é de até ${tamanho} dígitos`);
  return digitos.padStart(tamanho, '0');
}
