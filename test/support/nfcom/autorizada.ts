import { Buffer } from 'node:buffer';

export const CHAVE_DE_EXEMPLO = '35261111222333000181620010000001011031415922';
export const LINHA_DE_EXEMPLO = '00190000090123456700400000101170516560000011990';
export const QR_DE_EXEMPLO = `https://dfe-portal.svrs.rs.gov.br/NFCom/QRCode?chNFCom=${CHAVE_DE_EXEMPLO}&tpAmb=2`;
export const PIX_DE_EXEMPLO =
  '00020126580014br.gov.bcb.pix01364004901d-bd85-4769-8e52-cb4c42c506dc5204000053039865406119.905802BR5913MALHA TELECOM6009SAO PAULO62070503***6304ABCD';

export interface NfcomDeExemplo {
  readonly ambiente?: 1 | 2;
  /** 2: in contingency. */
  readonly tpEmis?: 1 | 2;
  /** How often the item of the plan comes. */
  readonly itens?: number;
  readonly nome?: string;
  readonly qr?: string;
  readonly pix?: string | null;
  readonly linha?: string;
  readonly infAdFisco?: string;
  readonly infCpl?: readonly string[];
  /** Whether its first item and its total have IBS and CBS. */
  readonly ibsCbs?: boolean;
}

const IBSCBS =
  '<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>78.27</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS><gCBS><pCBS>0.9000</pCBS><vCBS>0.70</vCBS></gCBS></gIBSCBS></IBSCBS>';
const IBSCBS_TOT =
  '<IBSCBSTot><vBCIBSCBS>78.27</vBCIBSCBS><gIBS><gIBSUF><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSUF>0.08</vIBSUF></gIBSUF><gIBSMun><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.08</vIBS></gIBS><gCBS><vDif>0.00</vDif><vDevTrib>0.00</vDevTrib><vCBS>0.70</vCBS></gCBS></IBSCBSTot><vTotDFe>119.90</vTotDFe>';

/** An authorised note of a company in the normal regime with its protocol: a plan with ICMS, and a service outside of it. Fictional; not signed. */
export function nfcomDeExemplo(mudancas: NfcomDeExemplo = {}): Buffer {
  const {
    ambiente = 2,
    tpEmis = 1,
    itens = 1,
    nome = 'Maria D&apos;Ávila &amp; Filhos',
    qr = QR_DE_EXEMPLO,
    pix = PIX_DE_EXEMPLO,
    linha = LINHA_DE_EXEMPLO,
    infAdFisco = '',
    infCpl = ['Obrigado por ser nosso cliente.', 'Central de atendimento da ANATEL: 1331.'],
    ibsCbs = true,
  } = mudancas;
  const item = (n: number): string =>
    `<det nItem="${n}"><prod><cProd>PLANO500</cProd><xProd>INTERNET FIBRA 500 MEGA</xProd><cClass>0400401</cClass><CFOP>5307</CFOP><uMed>4</uMed><qFaturada>1.0000</qFaturada><vItem>109.90</vItem><vDesc>10.00</vDesc><vProd>99.90</vProd></prod><imposto><ICMS00><CST>00</CST><vBC>99.90</vBC><pICMS>18.00</pICMS><vICMS>17.98</vICMS><pFCP>2.00</pFCP><vFCP>2.00</vFCP></ICMS00><PIS><CST>01</CST><vBC>99.90</vBC><pPIS>0.65</pPIS><vPIS>0.65</vPIS></PIS><COFINS><CST>01</CST><vBC>99.90</vBC><pCOFINS>3.00</pCOFINS><vCOFINS>3.00</vCOFINS></COFINS><FUST><vBC>78.27</vBC><pFUST>1.00</pFUST><vFUST>0.78</vFUST></FUST><FUNTTEL><vBC>78.27</vBC><pFUNTTEL>0.50</pFUNTTEL><vFUNTTEL>0.39</vFUNTTEL></FUNTTEL>${ibsCbs ? IBSCBS : ''}</imposto></det>`;
  const contingencia =
    tpEmis === 2 ? '<dhCont>2026-11-20T09:00:00-03:00</dhCont><xJust>Sem resposta da SEFAZ</xJust>' : '';
  const informacoes = [
    infAdFisco === '' ? '' : `<infAdFisco>${infAdFisco}</infAdFisco>`,
    ...infCpl.map((texto) => `<infCpl>${texto}</infCpl>`),
  ].join('');
  const sva = itens + 1;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><nfcomProc xmlns="http://www.portalfiscal.inf.br/nfcom" versao="1.00"><NFCom><infNFCom Id="NFCom${CHAVE_DE_EXEMPLO}" versao="1.00"><ide><cUF>35</cUF><tpAmb>${ambiente}</tpAmb><mod>62</mod><serie>1</serie><nNF>101</nNF><cNF>3141592</cNF><cDV>2</cDV><dhEmi>2026-11-20T10:00:00-03:00</dhEmi><tpEmis>${tpEmis}</tpEmis><nSiteAutoriz>0</nSiteAutoriz><cMunFG>3509502</cMunFG><finNFCom>0</finNFCom><tpFat>0</tpFat><verProc>malha</verProc>${contingencia}</ide><emit><CNPJ>11222333000181</CNPJ><IE>110042490114</IE><CRT>3</CRT><xNome>PROVEDOR TESTE LTDA</xNome><xFant>PROVEDOR TESTE</xFant><enderEmit><xLgr>RUA DAS FIBRAS</xLgr><nro>100</nro><xBairro>CENTRO</xBairro><cMun>3509502</cMun><xMun>CAMPINAS</xMun><CEP>13010000</CEP><UF>SP</UF><fone>1930000000</fone></enderEmit></emit><dest><xNome>${nome}</xNome><CPF>52998224725</CPF><indIEDest>9</indIEDest><enderDest><xLgr>RUA DO ASSINANTE</xLgr><nro>S/N</nro><xCpl>CASA 2</xCpl><xBairro>JARDIM D&apos;AGUA</xBairro><cMun>3509502</cMun><xMun>CAMPINAS</xMun><CEP>13020000</CEP><UF>SP</UF><fone>19999990000</fone></enderDest></dest><assinante><iCodAssinante>000123</iCodAssinante><tpAssinante>3</tpAssinante><tpServUtil>4</tpServUtil><nContrato>2026-000123</nContrato><dContratoIni>2026-01-10</dContratoIni></assinante>${Array.from({ length: itens }, (_, n) => item(n + 1)).join('')}<det nItem="${sva}"><prod><cProd>SVA01</cProd><xProd>SERVICO DE VALOR ADICIONADO</xProd><cClass>0600601</cClass><uMed>4</uMed><qFaturada>1.0000</qFaturada><vItem>20.00</vItem><vProd>20.00</vProd></prod><imposto><indSemCST>1</indSemCST></imposto></det><total><vProd>119.90</vProd><ICMSTot><vBC>99.90</vBC><vICMS>17.98</vICMS><vICMSDeson>0.00</vICMSDeson><vFCP>2.00</vFCP></ICMSTot><vCOFINS>3.00</vCOFINS><vPIS>0.65</vPIS><vFUNTTEL>0.39</vFUNTTEL><vFUST>0.78</vFUST><vRetTribTot><vRetPIS>0.13</vRetPIS><vRetCofins>0.60</vRetCofins><vRetCSLL>0.20</vRetCSLL><vIRRF>1.44</vIRRF></vRetTribTot><vDesc>10.00</vDesc><vOutro>0.00</vOutro><vNF>1119.90</vNF>${ibsCbs ? IBSCBS_TOT : ''}</total><gFat><CompetFat>202611</CompetFat><dVencFat>2026-12-10</dVencFat><dPerUsoIni>2026-11-01</dPerUsoIni><dPerUsoFim>2026-11-30</dPerUsoFim><codBarras>${linha}</codBarras>${pix === null ? '' : `<gPIX><urlQRCodePIX>${pix}</urlQRCodePIX></gPIX>`}</gFat>${informacoes === '' ? '' : `<infAdic>${informacoes}</infAdic>`}</infNFCom><infNFComSupl><qrCodNFCom><![CDATA[${qr}]]></qrCodNFCom></infNFComSupl></NFCom><protNFCom versao="1.00"><infProt><tpAmb>${ambiente}</tpAmb><verAplic>SIMULADO</verAplic><chNFCom>${CHAVE_DE_EXEMPLO}</chNFCom><dhRecbto>2026-11-20T10:00:05-03:00</dhRecbto><nProt>3352600000000001</nProt><digVal>eUEcE7ma6kqdZMbIbLRszifoWWg=</digVal><cStat>100</cStat><xMotivo>Autorizado o uso da NFCom</xMotivo></infProt><infFisco><cMsg>999</cMsg><xMsg>Recado do Fisco</xMsg></infFisco></protNFCom></nfcomProc>`,
  );
}
