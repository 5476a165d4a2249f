import type { Protocolo } from './respostas.ts';
import { semDeclaracao } from './soap.ts';
import { DECLARACAO, escapar, NFCOM, tag, tagOpcional } from '../base/xml.ts';

/** None runs on past the beginning of another: an answer with thousands of beginnings and no end would else be read thousands of times. */
const PROTOCOLOS = /<protNFCom\s[^<>]*>(?:(?!<protNFCom)[^])*?<\/protNFCom>/g;
const COM_VERSAO = /^[^>]*versao="/;

/**
 * The document that is kept and given out (nfcomProc): the note as it was sent, byte for byte, and the authority's
 * protocol. `resposta` is the answer in which the protocol came; from it the protocol is taken as it stands, signature
 * included, unless it carries prefixes, which would have no meaning here: then it is written anew.
 */
export function montarProcessado(xml: string, resposta: string, protocolo: Protocolo): string {
  const seus = resposta.match(PROTOCOLOS) ?? [];
  const proprio = seus.find((um) => COM_VERSAO.test(um) && um.includes(protocolo.chave));
  return `${DECLARACAO}<nfcomProc xmlns="${NFCOM}" versao="1.00">${semDeclaracao(xml)}${proprio ?? escreverProtocolo(protocolo)}</nfcomProc>`;
}

function escreverProtocolo(protocolo: Protocolo): string {
  const { fisco } = protocolo;
  return (
    '<protNFCom versao="1.00">' +
    tag(
      'infProt',
      tag('tpAmb', escapar(protocolo.ambiente)) +
        tag('verAplic', escapar(protocolo.aplicativo)) +
        tag('chNFCom', escapar(protocolo.chave)) +
        tag('dhRecbto', escapar(protocolo.recebidaEm)) +
        tagOpcional('nProt', protocolo.numero) +
        tagOpcional('digVal', protocolo.digest) +
        tag('cStat', protocolo.cStat) +
        tag('xMotivo', escapar(protocolo.motivo)),
    ) +
    (fisco === null ? '' : tag('infFisco', tag('cMsg', escapar(fisco.codigo)) + tag('xMsg', escapar(fisco.mensagem)))) +
    '</protNFCom>'
  );
}

/** The DigestValue of a signed note, which the authority's protocol repeats (digVal); null when it is not signed. */
export const digestDaNota = (xml: string): string | null =>
  /<DigestValue>([^<]+)<\/DigestValue>/.exec(xml)?.[1] ?? null;
