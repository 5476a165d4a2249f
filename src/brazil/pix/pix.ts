import { normalizarChavePix } from './chave-pix.ts';
import { escreverDinheiro, lerDinheiro, type Centavos } from '../dinheiro/dinheiro.ts';
import { escreverCampo, lerCampos, type CamposTlv } from './tlv.ts';

/** Of the PIX arrangement, in a BR Code's fields 26 to 51. */
export const GUI = 'br.gov.bcb.pix';
const SEM_TXID = '***';
/** How many characters of the recipient's name and city the code carries. */
export const NOME_MAXIMO = 25;
export const CIDADE_MAXIMA = 15;
/** The highest amount that a code carries, in centavos: field 54 has 13 characters. */
export const PIX_MAXIMO = 999_999_999_999;

/** The CRC of each byte alone: polynomial 0x1021, not reflected. */
const TABELA_CRC = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
  return crc;
});

const CRC_INICIAL = 0xffff;

/** CRC-16/CCITT-FALSE of a text's UTF-8 bytes, four hexadecimal digits in upper case: of '123456789' it is '29B1'. */
export function crc16(texto: string): string {
  let crc = CRC_INICIAL;
  for (const byte of Buffer.from(texto)) crc = avancarCrc(crc, byte);
  return escreverCrc(crc);
}

/** That of a text which follows another; ASCII only, where each character is one byte. */
function continuarCrc(crc: number, ascii: string): number {
  for (let n = 0; n < ascii.length; n += 1) crc = avancarCrc(crc, ascii.charCodeAt(n));
  return crc;
}

const avancarCrc = (crc: number, byte: number): number => ((crc & 0xff) << 8) ^ (TABELA_CRC[(crc >>> 8) ^ byte] ?? 0);

const escreverCrc = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0');

/** Who receives a static PIX. */
export interface RecebedorPix {
  chave: string;
  nome: string;
  cidade: string;
}

/**
 * The recipient as codes carry it: the key in the DICT's form, name and city without accents and cut to 25 and 15
 * characters. Null when the key is no PIX key or something is left empty: of one that is not null, `gerarPixEstatico`
 * refuses nothing but amount, txid or information.
 */
export function lerRecebedor(chave: string | null, nome: string | null, cidade: string | null): RecebedorPix | null {
  const lido = {
    chave: normalizarChavePix(chave ?? ''),
    nome: cortar(nome ?? '', NOME_MAXIMO),
    cidade: cortar(cidade ?? '', CIDADE_MAXIMA),
  };
  return lido.chave === null || lido.nome === '' || lido.cidade === '' ? null : { ...lido, chave: lido.chave };
}

/** Whether the txid fits a static code: 1 to 25 letters and digits. Those of dynamic charges have 26 to 35. */
export function txidEstaticoValido(txid: string): boolean {
  return /^[A-Za-z0-9]{1,25}$/.test(txid);
}

/**
 * The BR Code of a static PIX ("copia e cola"), by the Banco Central's Manual do BR Code. Name and city lose their
 * accents and are cut to 25 and 15 characters; `informacao` loses its accents and is never cut. A static code carries
 * neither fine nor interest: another amount is another code.
 *
 * Written by hand: the library takes the amount as floating point and cuts the information without a word.
 * @throws {RangeError} when key, name or city are left empty, the amount is not between 0.01 and 9999999999.99, `txid`
 * is neither `[A-Za-z0-9]{1,25}` nor '***', or key and information do not fit the 99 characters of field 26.
 */
export function gerarPixEstatico(
  entrada: RecebedorPix & { valor: Centavos; txid?: string; informacao?: string },
): string {
  const { valor, txid = SEM_TXID } = entrada;
  const { antes, proprio, meio } = prepararPixEmPartes(entrada);
  const { campoValor, crc } = proprio(valor, txid);
  return antes + campoValor + meio(txid) + txid + CAMPO_CRC + crc;
}

/** What comes between the txid and the CRC. */
export const CAMPO_CRC = '6304';

/** A code is `antes`, `campoValor`, `meio`, the txid, `CAMPO_CRC` and `crc`. */
export interface PixEmPartes {
  /** What all codes of the recipient have in common. */
  readonly antes: string;
  /**
   * What a single code has, besides its txid.
   * @throws {RangeError} as `gerarPixEstatico`, for the amount or the txid.
   */
  readonly proprio: (valor: Centavos, txid: string) => { readonly campoValor: string; readonly crc: string };
  /** The same for all txids of one length. */
  readonly meio: (txid: string) => string;
}

/**
 * For many codes of one recipient: a tenth of the text differs from code to code, and the rest is made once.
 * @throws {RangeError} as `gerarPixEstatico`, for the recipient.
 */
export function prepararPixEmPartes(entrada: RecebedorPix & { informacao?: string }): PixEmPartes {
  const { chave } = entrada;
  const informacao = paraAscii(entrada.informacao ?? '');
  if (!/^[!-~]{1,77}$/.test(chave)) throw new RangeError('a chave PIX tem de 1 a 77 caracteres ASCII sem espaços');
  const conta = escreverCampo('00', GUI) + escreverCampo('01', chave) + (informacao && escreverCampo('02', informacao));
  const antes =
    escreverCampo('00', '01') + escreverCampo('26', conta) + escreverCampo('52', '0000') + escreverCampo('53', '986');
  const recebedor =
    escreverCampo('58', 'BR') +
    escreverCampo('59', cortar(entrada.nome, NOME_MAXIMO)) +
    escreverCampo('60', cortar(entrada.cidade, CIDADE_MAXIMA));
  const crcDeAntes = continuarCrc(CRC_INICIAL, antes);
  const meios: string[] = [];
  const meio = ({ length }: string): string =>
    (meios[length] ??= recebedor + escreverCampo('62', escreverCampo('05', 'x'.repeat(length))).slice(0, -length));
  return {
    antes,
    meio,
    proprio(valor, txid) {
      if (!txidEstaticoValido(txid) && txid !== SEM_TXID) throw new RangeError('txid inválido para PIX estático');
      if (!Number.isSafeInteger(valor) || valor < 1 || valor > PIX_MAXIMO) {
        throw new RangeError(`valor fora do que o PIX leva: ${valor} centavos`);
      }
      const campoValor = escreverCampo('54', escreverDinheiro(valor));
      return { campoValor, crc: escreverCrc(continuarCrc(crcDeAntes, campoValor + meio(txid) + txid + CAMPO_CRC)) };
    },
  };
}

/**
 * Reads a BR Code of PIX, static (`chave`) or dynamic (`url`, without scheme). `valor` is null where payer or PSP
 * decides it; `txid` is null where the code says '***' or nothing. Returns null when the TLV or the CRC is wrong, a
 * required field is missing, or the code is no PIX in reais.
 */
export function lerPix(codigo: string): {
  chave: string | null;
  url: string | null;
  nome: string;
  cidade: string;
  valor: Centavos | null;
  txid: string | null;
} | null {
  if (codigo.slice(-8, -4) !== '6304' || crc16(codigo.slice(0, -4)) !== codigo.slice(-4).toUpperCase()) return null;
  const campos = lerCampos(codigo);
  if (!campos?.has('63') || campos.get('00') !== '01') return null;
  if (campos.get('53') !== '986' || campos.get('58') !== 'BR') return null;
  const conta = contaPix(campos);
  const adicionais = lerCampos(campos.get('62') ?? '');
  const chave = conta?.get('01') ?? null;
  const url = conta?.get('25') ?? null;
  const nome = campos.get('59');
  const cidade = campos.get('60');
  if (!adicionais || (chave === null) === (url === null) || !nome || !cidade) return null;
  const valor = campos.get('54') ?? null;
  if (valor !== null && (valor.length > 13 || !/^\d+(\.\d{1,2})?$/.test(valor))) return null;
  const txid = adicionais.get('05') ?? SEM_TXID;
  return {
    chave,
    url,
    nome,
    cidade,
    valor: valor === null ? null : lerDinheiro(valor),
    txid: txid === SEM_TXID ? null : txid,
  };
}

/** A static code names who receives; a dynamic one leads whoever has it to a charge that names who owes, too: null, as of none that is read. */
export function mascararPix(codigo: string): string | null {
  const lido = lerPix(codigo);
  return lido === null || lido.url !== null ? null : codigo;
}

/**
 * The first of the fields 26 to 51 that is of the PIX arrangement; the others are of other arrangements in the same QR
 * code.
 */
function contaPix(campos: CamposTlv): CamposTlv | null {
  for (let id = 26; id <= 51; id++) {
    const conta = lerCampos(campos.get(String(id)) ?? '');
    if (conta?.get('00')?.toLowerCase() === GUI) return conta;
  }
  return null;
}

function cortar(texto: string, maximo: number): string {
  return paraAscii(texto).slice(0, maximo).trim();
}

/** Without accents and in printable ASCII only, which the reader of every bank accepts. */
export function paraAscii(texto: string): string {
  const semAcentos = texto.normalize('NFD').replace(/\s+/g, ' ');
  return semAcentos
    .replace(/[^ -~]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}
