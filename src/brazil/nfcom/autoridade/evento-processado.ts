import { lerRegistroDeEvento } from './respostas.ts';
import type { RegistroDeEvento } from './respostas.ts';
import { semDeclaracao } from './soap.ts';
import { DECLARACAO, NFCOM, escapar, tag, tagOpcional } from '../base/xml.ts';

const CANCELAMENTO = '110111';
const REGISTRO = /<retEventoNFCom[\s>](?:(?!<retEventoNFCom)[^])*?<\/retEventoNFCom>/g;
const EVENTO = /<eventoNFCom[\s>](?:(?!<eventoNFCom)[^])*?<\/eventoNFCom>/g;

/**
 * The document of a note's cancellation that is kept and given out (procEventoNFCom): the event, byte for byte, and how the authority
 * registered it. Null where one of the two is not known.
 *
 * @param xml the event as it was signed here; of an answer that brings the event itself, as a query of the note may, that one is taken: another
 * program may have cancelled the note
 * @param resposta the answer in which the registration came, of the event or of a query of the note. The registration is taken as it stands,
 * unless it carries prefixes, which would have no meaning here: then it is written anew
 */
export function montarEventoProcessado(xml: string | null, resposta: string): string | null {
  const registro = lerRegistroDeEvento(resposta, CANCELAMENTO);
  if (registro === null) return null;
  const daAutoridade = (resposta.match(EVENTO) ?? []).find(ehCancelamento);
  const evento = daAutoridade ?? (xml === null ? null : semDeclaracao(xml));
  if (evento === null) return null;
  const proprio = (resposta.match(REGISTRO) ?? []).find(ehCancelamento);
  return `${DECLARACAO}<procEventoNFCom xmlns="${NFCOM}" versao="1.00">${evento}${proprio ?? escrever(registro)}</procEventoNFCom>`;
}

const ehCancelamento = (xml: string): boolean => xml.includes(`<tpEvento>${CANCELAMENTO}</tpEvento>`);

function escrever(registro: RegistroDeEvento): string {
  const { sequencia } = registro;
  return (
    '<retEventoNFCom versao="1.00">' +
    tag(
      'infEvento',
      tag('tpAmb', escapar(registro.ambiente)) +
        tag('verAplic', escapar(registro.aplicativo)) +
        tag('cOrgao', escapar(registro.orgao)) +
        tag('cStat', registro.cStat) +
        tag('xMotivo', escapar(registro.motivo)) +
        tagOpcional('chNFCom', registro.chave) +
        tagOpcional('tpEvento', registro.tipo) +
        tagOpcional('xEvento', registro.nome) +
        tagOpcional('nSeqEvento', sequencia === null ? null : String(sequencia)) +
        tagOpcional('dhRegEvento', registro.registradoEm) +
        tagOpcional('nProt', registro.protocolo),
    ) +
    '</retEventoNFCom>'
  );
}
