import { escreverCampo } from '../tlv.ts';
import { CAMPO_CRC, CIDADE_MAXIMA, GUI, NOME_MAXIMO, crc16, lerPix, paraAscii } from '../pix.ts';
import type { CobrancaLida } from './resposta.ts';

/**
 * A dynamic BR Code around the address of its payload (Banco Central, Manual do BR Code: field 26-25, 62-05 `***`), without amount: the
 * payer's bank asks the PSP for it.
 */
export function comporPixDinamico(location: string, quem: { readonly nome: string; readonly cidade: string }): string {
  const antes =
    escreverCampo('00', '01') +
    escreverCampo('01', '12') +
    escreverCampo('26', escreverCampo('00', GUI) + escreverCampo('25', location)) +
    escreverCampo('52', '0000') +
    escreverCampo('53', '986') +
    escreverCampo('58', 'BR') +
    escreverCampo('59', paraAscii(quem.nome).slice(0, NOME_MAXIMO).trim() || 'N') +
    escreverCampo('60', paraAscii(quem.cidade).slice(0, CIDADE_MAXIMA).trim() || 'C') +
    escreverCampo('62', escreverCampo('05', '***')) +
    CAMPO_CRC;
  return antes + crc16(antes);
}

/**
 * The code of a charge: the PSP's own, where it can be read as a dynamic one; else composed around its address. One with a due date must
 * carry no amount, which would be that of the due date on all days. Null where it cannot be had.
 */
export function codigoDaCobranca(
  { copiaECola, location, vencimento }: Pick<CobrancaLida, 'copiaECola' | 'location' | 'vencimento'>,
  quem: { readonly nome: string; readonly cidade: string },
): string | null {
  const lido = copiaECola === null ? null : lerPix(copiaECola);
  const serve = lido !== null && lido.url !== null && (vencimento === null || lido.valor === null);
  if (serve) return copiaECola;
  const onde = location ?? lido?.url ?? null;
  return onde === null ? null : comporPixDinamico(onde, quem);
}
