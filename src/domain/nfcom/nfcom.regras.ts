import type { BoletoSituacao } from '../boletos/boletos.types.ts';
import type { SituacaoNfcom } from './nfcom.types.ts';

/** Whether the tax authority has authorised the note at some time: those that were cancelled or replaced since are documents still. */
export const foiAutorizada = (situacao: SituacaoNfcom): situacao is 'autorizada' | 'cancelada' | 'substituida' =>
  situacao === 'autorizada' || situacao === 'cancelada' || situacao === 'substituida';

/** States in which an open invoice has a boleto of ours that its bank does not have: its note, which carries the line, waits. */
export const SEM_REGISTRO: readonly (BoletoSituacao | null)[] = ['a_registrar', 'enviado', 'rejeitado'];

/** Whether a document is a note of the layout 1.00, of which a DANFE-COM can be drawn: what another system left may be anything. */
export const ehNfcom = (xml: Buffer): boolean => /<infNFCom[\s>]/.test(xml.toString('latin1'));

const QR_CODE = /<qrCodNFCom>\s*(?:<!\[CDATA\[(.*?)\]\]>|([^<]*?))\s*<\/qrCodNFCom>/s;

/** What the QR code of a note says (`infNFComSupl/qrCodNFCom` of the layout of the NFCom); null where its XML says nothing of one. */
export function qrCodeDoXml(xml: string): string | null {
  const [, literal, escapado] = QR_CODE.exec(xml) ?? [];
  const texto = literal ?? escapado?.replaceAll('&amp;', '&');
  return texto === undefined || texto === '' ? null : texto;
}
