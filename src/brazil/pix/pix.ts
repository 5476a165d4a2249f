import { normalizarChavePix } from './chave-pix.ts';
import { escreverDinheiro, lerDinheiro, type Centavos } from '../dinheiro/dinheiro.ts';
import { escreverCampo, lerCampos, type CamposTlv } from './tlv.ts';

const GUI = 'br.gov.bcb.pix';
const SEM_TXID = '***';
/** Caracteres que o código leva do nome e da cidade de quem recebe. */
export const NOME_MAXIMO = 25;
export const CIDADE_MAXIMA = 15;
/** O maior valor que um código leva, em centavos: o campo 54 tem 13 caracteres. */
export const PIX_MAXIMO = 999_999_999_999;

/** O CRC de cada byte sozinho: polinômio 0x1021, sem reflexão. */
const TABELA_CRC = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
  return crc;
});

const CRC_INICIAL = 0xffff;

/** CRC-16/CCITT-FALSE dos bytes UTF-8 do texto, quatro dígitos hexadecimais maiúsculos: '123456789' é '29B1'. */
export function crc16(texto: string): string {
  let crc = CRC_INICIAL;
  for (const byte of Buffer.from(texto)) crc = avancarCrc(crc, byte);
  return escreverCrc(crc);
}

/** O de um texto que segue outro; só ASCII, onde cada caractere é um byte. */
function continuarCrc(crc: number, ascii: string): number {
  for (let n = 0; n < ascii.length; n += 1) crc = avancarCrc(crc, ascii.charCodeAt(n));
  return crc;
}

const avancarCrc = (crc: number, byte: number): number => ((crc & 0xff) << 8) ^ (TABELA_CRC[(crc >>> 8) ^ byte] ?? 0);

const escreverCrc = (crc: number): string => crc.toString(16).toUpperCase().padStart(4, '0');

/** Quem recebe um PIX estático. */
export interface RecebedorPix {
  chave: string;
  nome: string;
  cidade: string;
}

/**
 * O recebedor como os códigos o levam: a chave na forma do DICT, nome e cidade sem acentos e cortados em 25 e 15
 * caracteres. Null se a chave não for PIX ou algo ficar vazio: com um que não é null, `gerarPixEstatico` só recusa
 * valor, txid ou informação.
 */
export function lerRecebedor(chave: string | null, nome: string | null, cidade: string | null): RecebedorPix | null {
  const lido = {
    chave: normalizarChavePix(chave ?? ''),
    nome: cortar(nome ?? '', NOME_MAXIMO),
    cidade: cortar(cidade ?? '', CIDADE_MAXIMA),
  };
  return lido.chave === null || lido.nome === '' || lido.cidade === '' ? null : { ...lido, chave: lido.chave };
}

/** Diz se o txid cabe num código estático: de 1 a 25 letras e dígitos. O de uma cobrança dinâmica tem de 26 a 35. */
export function txidEstaticoValido(txid: string): boolean {
  return /^[A-Za-z0-9]{1,25}$/.test(txid);
}

/**
 * O BR Code de um PIX estático ("copia e cola"), conforme o Manual do BR Code do Banco Central. Nome e cidade perdem os
 * acentos e são cortados em 25 e 15 caracteres; `informacao` perde os acentos e nunca é cortada. Um código estático não
 * leva multa nem juros: outro valor é outro código.
 *
 * Escrito à mão: a biblioteca recebe o valor em ponto flutuante e corta a informação em silêncio.
 * @throws {RangeError} se a chave, o nome ou a cidade ficarem vazios, o valor não estiver entre 0.01 e 9999999999.99, o
 * `txid` não for `[A-Za-z0-9]{1,25}` nem '***', ou chave e informação não couberem nos 99 caracteres do campo 26.
 */
export function gerarPixEstatico(
  entrada: RecebedorPix & { valor: Centavos; txid?: string; informacao?: string },
): string {
  const { valor, txid = SEM_TXID } = entrada;
  const { antes, proprio, meio } = prepararPixEmPartes(entrada);
  const { campoValor, crc } = proprio(valor, txid);
  return antes + campoValor + meio(txid) + txid + CAMPO_CRC + crc;
}

/** O que vem entre o txid e o CRC. */
export const CAMPO_CRC = '6304';

/** Um código é `antes`, `campoValor`, `meio`, o txid, `CAMPO_CRC` e `crc`. */
export interface PixEmPartes {
  /** O que é igual em todos os códigos do recebedor. */
  readonly antes: string;
  /**
   * O que só um código tem, além do txid.
   * @throws {RangeError} como `gerarPixEstatico`, por causa do valor ou do txid.
   */
  readonly proprio: (valor: Centavos, txid: string) => { readonly campoValor: string; readonly crc: string };
  /** O mesmo para todos os txids de um tamanho. */
  readonly meio: (txid: string) => string;
}

/**
 * Para muitos códigos de um recebedor: de um ao outro só muda um décimo do texto, e o que não muda é feito uma vez.
 * @throws {RangeError} como `gerarPixEstatico`, por causa do recebedor.
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
 * Lê um BR Code de PIX, estático (`chave`) ou dinâmico (`url`, sem esquema). `valor` é null onde o pagador ou o PSP o
 * decide; `txid` é null onde o código traz '***' ou nada. Devolve null se o TLV ou o CRC estiverem errados, faltar campo
 * obrigatório, ou o código não for PIX em reais.
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

/** O primeiro dos campos 26 a 51 que é do arranjo PIX; os outros são de outros arranjos no mesmo QR Code. */
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

/** Sem acentos e só com ASCII imprimível, que é o que o leitor de todo banco aceita. */
export function paraAscii(texto: string): string {
  const semAcentos = texto.normalize('NFD').replace(/\s+/g, ' ');
  return semAcentos
    .replace(/[^ -~]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}
