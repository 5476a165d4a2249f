/** A note that the stand-in has authorised. */
export interface NotaAutorizada {
  readonly chave: string;
  readonly ambiente: string;
  readonly protocolo: string;
  readonly digest: string;
  readonly recebidaEm: string;
  /** 100 authorised, 101 cancelled, 102 replaced. */
  readonly situacao: '100' | '101' | '102';
  /** Answers to its events. */
  readonly eventos: readonly string[];
}

const NFCOM = 'http://www.portalfiscal.inf.br/nfcom';
const APLICATIVO = 'DEMONSTRACAO';
const tag = (nome: string, texto: string): string => `<${nome}>${texto}</${nome}>`;

export const protocolo = ({ chave, ambiente, protocolo: numero, digest, recebidaEm }: NotaAutorizada): string =>
  `<protNFCom versao="1.00"><infProt>${tag('tpAmb', ambiente)}${tag('verAplic', APLICATIVO)}${tag('chNFCom', chave)}` +
  `${tag('dhRecbto', recebidaEm)}${tag('nProt', numero)}${tag('digVal', digest)}${tag('cStat', '100')}` +
  `${tag('xMotivo', 'Autorizado o uso da NFCom')}</infProt></protNFCom>`;

const cabeca = (ambiente: string, cStat: string, motivo: string): string =>
  tag('tpAmb', ambiente) +
  tag('cUF', '43') +
  tag('verAplic', APLICATIVO) +
  tag('cStat', cStat) +
  tag('xMotivo', motivo);

export const retNFCom = (ambiente: string, cStat: string, motivo: string, prot: string | null): string =>
  `<retNFCom versao="1.00" xmlns="${NFCOM}">${cabeca(ambiente, cStat, motivo)}${prot ?? ''}</retNFCom>`;

export const consSit = (ambiente: string, cStat: string, motivo: string, nota: NotaAutorizada | null): string => {
  const eventos = (nota?.eventos ?? []).map((um) => `<procEventoNFCom versao="1.00">${um}</procEventoNFCom>`).join('');
  const prot = nota === null ? '' : `<protNFCom>${protocolo(nota)}</protNFCom>`;
  return `<retConsSitNFCom versao="1.00" xmlns="${NFCOM}">${cabeca(ambiente, cStat, motivo)}${prot}${eventos}</retConsSitNFCom>`;
};

export const status = (ambiente: string, cStat: string, motivo: string): string =>
  `<retConsStatServNFCom versao="1.00" xmlns="${NFCOM}">${cabeca(ambiente, cStat, motivo)}</retConsStatServNFCom>`;

interface EventoRespondido {
  readonly ambiente: string;
  readonly cStat: string;
  readonly motivo: string;
  readonly chave: string;
  readonly protocolo: string | null;
  readonly em: string;
}

export const evento = ({ ambiente, cStat, motivo, chave, protocolo: numero, em }: EventoRespondido): string =>
  `<retEventoNFCom versao="1.00" xmlns="${NFCOM}"><infEvento>${tag('tpAmb', ambiente)}${tag('verAplic', APLICATIVO)}` +
  `${tag('cOrgao', '43')}${tag('cStat', cStat)}${tag('xMotivo', motivo)}` +
  `${chave === '' ? '' : tag('chNFCom', chave)}${tag('tpEvento', '110111')}${tag('nSeqEvento', '1')}${tag('dhRegEvento', em)}` +
  `${numero === null ? '' : tag('nProt', numero)}</infEvento></retEventoNFCom>`;

/** As SOAP 1.2 has it; with prefixes, what is inside has one too. */
export function envelope(conteudo: string, prefixos: boolean): string {
  const dentro = prefixos
    ? conteudo.replace(/<(\/?)(\w)/g, '<$1ns2:$2').replace(`xmlns="${NFCOM}"`, `xmlns:ns2="${NFCOM}"`)
    : conteudo;
  return (
    '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://www.w3.org/2003/05/soap-envelope"><soap:Body>' +
    `<nfcomResultMsg>${dentro}</nfcomResultMsg></soap:Body></soap:Envelope>`
  );
}
