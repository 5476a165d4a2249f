import type { Ambiente } from '../base/nota.types.ts';
import { DECLARACAO, NFCOM, tag } from '../base/xml.ts';

/** The four services of the NFCom, each with one operation. */
type ServicoNfcom = 'NFComRecepcao' | 'NFComConsulta' | 'NFComStatusServico' | 'NFComRecepcaoEvento';

/** What is posted to a service: SOAP 1.2, document/literal, without a header. */
export interface PedidoSoap {
  readonly servico: ServicoNfcom;
  /** With the action, which SOAP 1.2 has in it. */
  readonly contentType: string;
  readonly corpo: string;
}

const OPERACAO: Readonly<Record<ServicoNfcom, string>> = {
  NFComRecepcao: 'nfcomRecepcao',
  NFComConsulta: 'nfcomConsultaNF',
  NFComStatusServico: 'nfcomStatusServicoNF',
  NFComRecepcaoEvento: 'nfcomRecepcaoEvento',
};

/** Sends one note. `comprimida` is the signed XML through gzip, in Base64: this service alone takes it so (243, 244). */
export const pedidoDeRecepcao = (comprimida: string): PedidoSoap => envelope('NFComRecepcao', comprimida);

/** Asks about a note by its key. */
export const pedidoDeConsulta = (ambiente: Ambiente, chave: string): PedidoSoap =>
  envelope('NFComConsulta', consulta('consSitNFCom', ambiente, tag('xServ', 'CONSULTAR') + tag('chNFCom', chave)));

/** Asks whether the service is up. Not more often than every three minutes (678). */
export const pedidoDeStatus = (ambiente: Ambiente): PedidoSoap =>
  envelope('NFComStatusServico', consulta('consStatServNFCom', ambiente, tag('xServ', 'STATUS')));

/** Sends a signed event. */
export const pedidoDeEvento = (xml: string): PedidoSoap => envelope('NFComRecepcaoEvento', semDeclaracao(xml));

/** A document without its XML declaration, to stand within another. */
export const semDeclaracao = (xml: string): string => xml.replace(/^\uFEFF?\s*<\?xml[^?]*\?>\s*/, '');

const consulta = (nome: string, ambiente: Ambiente, resto: string): string =>
  `<${nome} xmlns="${NFCOM}" versao="1.00">${tag('tpAmb', ambiente)}${resto}</${nome}>`;

function envelope(servico: ServicoNfcom, conteudo: string): PedidoSoap {
  const espaco = `${NFCOM}/wsdl/${servico}`;
  return {
    servico,
    contentType: `application/soap+xml;charset=UTF-8;action="${espaco}/${OPERACAO[servico]}"`,
    corpo:
      `${DECLARACAO}<soap12:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ` +
      'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">' +
      `<soap12:Body><nfcomDadosMsg xmlns="${espaco}">${conteudo}</nfcomDadosMsg></soap12:Body></soap12:Envelope>`,
  };
}
