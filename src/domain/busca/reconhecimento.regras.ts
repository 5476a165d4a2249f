import { cpfCnpjValido, normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { normalizeIp } from '../../platform/ip.ts';
import { palavrasDe } from '../clientes/palavras/palavras.regras.ts';

/** What a text may be, by its shape. Several at once: eleven digits are a tax id, a phone or a login. */
export interface Reconhecido {
  /** A number of a client, a contract, an invoice or a ticket. */
  readonly numero: number | null;
  /** Of a contact: 14 digits that begin with a year. */
  readonly protocolo: string | null;
  /** Somebody typed `#`: nothing else is meant. */
  readonly soNumero: boolean;
  /** Beginning of a tax id, whole where it has 11 or 14 characters. */
  readonly documento: string | null;
  /** Last digits of a phone, or all of it. */
  readonly telefone: string | null;
  /** The MAC or its first bytes, with colons, in lower case. */
  readonly mac: string | null;
  readonly ip: string | null;
  /** Beginning of a login. */
  readonly login: string | null;
  readonly palavras: readonly string[];
}

/** Longest text that is looked at, and most words of it. */
const MAIOR_TEXTO = 100;
const MAIS_PALAVRAS = 6;
/** Fewer digits of a document or a phone would find half the city. */
const MENOS_DIGITOS = 4;
const MENOS_DO_LOGIN = 2;

const NADA: Reconhecido = {
  numero: null,
  protocolo: null,
  soNumero: false,
  documento: null,
  telefone: null,
  mac: null,
  ip: null,
  login: null,
  palavras: [],
};

export function reconhecer(digitado: string): Reconhecido {
  const texto = digitado.slice(0, MAIOR_TEXTO).replaceAll(/\s+/g, ' ').trim();
  const numerado = /^#\s?(\d{1,15})$/.exec(texto)?.[1];
  if (numerado !== undefined) return { ...NADA, numero: Number(numerado), soNumero: true };
  const mac = lerMac(texto);
  if (mac !== null) return { ...NADA, mac };
  const ip = /[.:].*[.:]/.test(texto) ? normalizeIp(texto) : null;
  if (ip !== null) return { ...NADA, ip };
  if (/^[-\d() ./+]*\d[-\d() ./+]*$/.test(texto)) return deDigitos(texto);
  const documento = /\d/.test(texto) ? normalizarCpfCnpj(texto) : null;
  const semEspaco = !texto.includes(' ');
  return {
    ...NADA,
    documento,
    login: semEspaco && texto.length >= MENOS_DO_LOGIN ? texto : null,
    palavras: palavrasDe(texto).slice(0, MAIS_PALAVRAS),
  };
}

/** The tax id that a text is, whole and with the right check digits; null where it is none. */
export function documentoInteiro(digitado: string): string | null {
  const { documento } = reconhecer(digitado);
  return documento !== null && cpfCnpjValido(documento) ? documento : null;
}

function deDigitos(texto: string): Reconhecido {
  const digitos = texto.replaceAll(/\D/g, '');
  const bastam = digitos.length >= MENOS_DIGITOS;
  return {
    ...NADA,
    numero: /^\d{1,15}$/.test(texto) ? Number(texto) : null,
    protocolo: /^20\d{12}$/.test(texto) ? texto : null,
    documento: bastam && digitos.length <= 14 ? digitos : null,
    telefone: bastam && digitos.length <= 13 ? digitos : null,
    login: bastam && /^\d+$/.test(texto) ? texto : null,
    // A name with a number, as of a company.
    palavras: bastam ? [] : palavrasDe(texto),
  };
}

/** At least three bytes: separated they are one even of digits alone; unseparated, only whole and with a letter. */
function lerMac(texto: string): string | null {
  const separado =
    /^[\da-f]{2}(?:[:-][\da-f]{2}){2,5}[:-]?$/i.test(texto) || /^[\da-f]{4}(?:\.[\da-f]{4}){2}$/i.test(texto);
  const junto = /^[\da-f]{12}$/i.test(texto) && /[a-f]/i.test(texto);
  if (!separado && !junto) return null;
  const digitos = texto.replaceAll(/[^\da-f]/gi, '').toLowerCase();
  return (digitos.match(/../g) ?? []).join(':');
}
