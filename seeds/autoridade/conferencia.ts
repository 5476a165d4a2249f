import { X509Certificate, hash, verify } from 'node:crypto';
import { lerChave } from '../../src/brazil/nfcom/base/chave.ts';

/** Why the authority refuses a note, by its own codes. */
export interface Rejeicao {
  readonly cStat: string;
  readonly motivo: string;
}

const rejeicao = (cStat: string, motivo: string): Rejeicao => ({ cStat, motivo: `Rejeicao: ${motivo}` });

/** The text of the first element of a name. */
export const textoDe = (xml: string, nome: string): string | null =>
  new RegExp(`<${nome}(?:\\s[^>]*)?>([^<]*)</${nome}>`).exec(xml)?.[1] ?? null;

const blocoDe = (xml: string, nome: string): string =>
  new RegExp(`<${nome}[ >].*?</${nome}>`, 's').exec(xml)?.[0] ?? '';
const blocosDe = (xml: string, nome: string): string[] =>
  xml.match(new RegExp(`<${nome}[ >].*?</${nome}>`, 'gs')) ?? [];

/** In cents, exactly. */
function cents(texto: string | null): bigint {
  const [reais = '0', decimos = ''] = (texto ?? '0').split('.');
  return BigInt(reais) * 100n + BigInt(decimos.padEnd(2, '0').slice(0, 2));
}

const MINUTO_MS = 60_000;
const MAIS_VELHA_MS = 120 * 60 * MINUTO_MS;

/** What the authority asks of a note besides its schema; null: nothing is wrong with it. */
export function conferirNota(xml: string, ambiente: '1' | '2', agora: Date): Rejeicao | null {
  const chave = /<infNFCom[^>]* Id="NFCom([A-Z0-9]{44})"/.exec(xml)?.[1] ?? '';
  const partes = lerChave(chave);
  if (partes === null) return rejeicao('236', 'Chave de Acesso com digito verificador invalido');
  if (textoDe(xml, 'tpAmb') !== ambiente)
    return rejeicao('252', 'Ambiente informado diverge do Ambiente de recebimento');
  const daChave = [String(partes.serie), String(partes.numero), partes.codigoNumerico, partes.cnpj];
  const emit = blocoDe(xml, 'emit');
  const doXml = [textoDe(xml, 'serie'), textoDe(xml, 'nNF'), textoDe(xml, 'cNF'), textoDe(emit, 'CNPJ')];
  if (daChave.some((um, n) => um !== doXml[n])) return rejeicao('502', 'Erro na Chave de Acesso');
  const emissao = Date.parse(textoDe(xml, 'dhEmi') ?? '');
  if (emissao > agora.getTime() + 5 * MINUTO_MS)
    return rejeicao('212', 'Data/hora de emissao posterior ao recebimento');
  if (textoDe(xml, 'tpEmis') === '1' && emissao < agora.getTime() - MAIS_VELHA_MS) {
    return rejeicao('228', 'Data de emissao muito atrasada');
  }
  return conferirSomas(xml);
}

/** Totals are the exact sums of the rounded items. */
function conferirSomas(xml: string): Rejeicao | null {
  const itens = blocosDe(xml, 'det');
  const total = blocoDe(xml, 'total');
  const soma = (nome: string): bigint =>
    itens.reduce((ate, item) => {
      const subtrai = (textoDe(item, 'cClass') ?? '').startsWith('5') || item.includes('<indDevolucao>1');
      const valor = cents(textoDe(item, nome));
      return subtrai ? ate - valor : ate + valor;
    }, 0n);
  const conferem: readonly (readonly [string, string, string])[] = [
    ['vProd', 'vProd', '447'],
    ['vICMS', 'vICMS', '449'],
    ['vPIS', 'vPIS', '455'],
    ['vCOFINS', 'vCOFINS', '454'],
    ['vFUST', 'vFUST', '457'],
    ['vFUNTTEL', 'vFUNTTEL', '456'],
  ];
  for (const [doTotal, doItem, codigo] of conferem) {
    if (cents(textoDe(total, doTotal)) !== soma(doItem))
      return rejeicao(codigo, `Total de ${doTotal} difere da soma dos itens`);
  }
  const retidos = ['vRetPIS', 'vRetCofins', 'vRetCSLL', 'vIRRF'].reduce(
    (ate, nome) => ate + cents(textoDe(total, nome)),
    0n,
  );
  if (cents(textoDe(total, 'vNF')) !== cents(textoDe(total, 'vProd')) - retidos) {
    return rejeicao('462', 'Valor da NFCom difere do total');
  }
  return null;
}

const NFCOM = 'http://www.portalfiscal.inf.br/nfcom';
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Whether a signature over an element is right, of documents in the one form in which emitters write them. */
export function assinaturaConfere(xml: string, elemento: 'infNFCom' | 'infEvento'): boolean {
  const assinado = blocoDe(xml, elemento);
  const assinatura = blocoDe(xml, 'Signature');
  const info = blocoDe(assinatura, 'SignedInfo');
  const [, atributos = ''] = new RegExp(`^<${elemento}([^>]*)>`).exec(assinado) ?? [];
  const canonico = desfeito(
    assinado.replace(`<${elemento}${atributos}>`, `<${elemento} xmlns="${NFCOM}"${atributos}>`),
  );
  if (hash('sha1', canonico, 'base64') !== textoDe(info, 'DigestValue')) return false;
  const infoCanonica = desfeito(info.replace('<SignedInfo>', `<SignedInfo xmlns="${DSIG}">`));
  const certificado = certificadoDe(xml);
  if (certificado === null) return false;
  return verify(
    'sha1',
    Buffer.from(infoCanonica),
    certificado.publicKey,
    Buffer.from(textoDe(assinatura, 'SignatureValue') ?? '', 'base64'),
  );
}

/** As C14N writes what may be written in several ways: empty elements in pairs, quotes plain. */
const desfeito = (xml: string): string =>
  xml
    .replace(/<([\w:]+)([^<>]*?)\/>/g, '<$1$2></$1>')
    .replace(/>([^<]*)</g, (_todo, texto: string) => `>${texto.replaceAll('&quot;', '"').replaceAll('&apos;', "'")}<`);

/** The signer's certificate. */
export function certificadoDe(xml: string): X509Certificate | null {
  try {
    return new X509Certificate(Buffer.from(textoDe(xml, 'X509Certificate') ?? '', 'base64'));
  } catch {
    return null;
  }
}
