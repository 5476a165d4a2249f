import type { Assinador } from './assinador.ts';
import type { NotaMontada } from '../nota.ts';
import type { DadosDaNota } from '../base/nota.types.ts';
import { qrCodeDaNota } from './qr-code.ts';
import { DECLARACAO, escapar, NFCOM, tag } from '../base/xml.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';

/** A signed document: the text whose bytes (UTF-8) are kept and sent, and its DigestValue. */
export interface Assinado {
  readonly xml: string;
  readonly digest: string;
}

/** Signs a note that is built. The same note and signer always give the same bytes. */
export function assinarNota(nota: NotaMontada, dados: DadosDaNota, assinador: Assinador): Assinado {
  const id = `NFCom${nota.chave}`;
  const qrCode = qrCodeDaNota(dados, nota.chave, assinador);
  const assinatura = assinar('infNFCom', ` Id="${id}" versao="1.00"`, nota.conteudo, id, assinador);
  return {
    digest: assinatura.digest,
    xml:
      `${DECLARACAO}<NFCom xmlns="${NFCOM}"><infNFCom Id="${id}" versao="1.00">${nota.conteudo}</infNFCom>` +
      tag('infNFComSupl', tag('qrCodNFCom', escapar(qrCode))) +
      `${assinatura.xml}</NFCom>`,
  };
}

/**
 * The Signature (XMLDSig, enveloped, RSA-SHA1) of an element.
 *
 * It is made without a library that writes canonical XML (C14N 1.0), because all that is digested and signed here is
 * written in canonical form: no declaration, comments or blanks between tags, attributes in the order of the alphabet
 * with plain values, empty elements as a pair of tags, and only & < > escaped. What the canonical form has besides is
 * the inherited namespace, in front of the attributes. So `atributos` and `conteudo` must be written by this folder.
 */
export function assinar(
  elemento: string,
  atributos: string,
  conteudo: string,
  id: string,
  assinador: Assinador,
): Assinado {
  const digest = assinador.resumir(`<${elemento} xmlns="${NFCOM}"${atributos}>${conteudo}</${elemento}>`);
  const dentro =
    `<CanonicalizationMethod Algorithm="${C14N}"></CanonicalizationMethod>` +
    `<SignatureMethod Algorithm="${DSIG}rsa-sha1"></SignatureMethod>` +
    `<Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${DSIG}enveloped-signature"></Transform><Transform Algorithm="${C14N}"></Transform>` +
    `</Transforms><DigestMethod Algorithm="${DSIG}sha1"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`;
  const valor = assinador.assinar(`<SignedInfo xmlns="${DSIG}">${dentro}</SignedInfo>`);
  const xml =
    `<Signature xmlns="${DSIG}"><SignedInfo>${dentro}</SignedInfo><SignatureValue>${valor}</SignatureValue>` +
    `<KeyInfo><X509Data><X509Certificate>${assinador.certificado}</X509Certificate></X509Data></KeyInfo></Signature>`;
  return { xml, digest };
}
