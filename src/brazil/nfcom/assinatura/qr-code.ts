import type { Assinador } from './assinador.ts';
import type { DadosDaNota } from '../base/nota.types.ts';

/**
 * What the QR code of a note says (MOC 1.00a, 9): the address of its query, its key and its environment. In
 * contingency the authority does not know the note yet, so the key's signature is added; it is not URL-encoded, because
 * the authority decodes what follows `sign=` as it is.
 */
export function qrCodeDaNota(
  { enderecoDoQr, ambiente, contingencia }: Pick<DadosDaNota, 'enderecoDoQr' | 'ambiente' | 'contingencia'>,
  chave: string,
  assinador: Pick<Assinador, 'assinar'>,
): string {
  const base = `${enderecoDoQr}?chNFCom=${chave}&tpAmb=${ambiente}`;
  return contingencia === null ? base : `${base}&sign=${assinador.assinar(chave)}`;
}
