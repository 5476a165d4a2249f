import { createPrivateKey } from 'node:crypto';
import forge from 'node-forge';
import { normalizarCpfCnpj } from '../../../src/brazil/pessoa/cpf-cnpj.ts';
import type { ArquivoPfx, CertificadoA1, CertificadoLido } from './contract.ts';

const LARGEST_BYTES = 200_000;
const OID_DO_CNPJ = '2.16.76.1.3.3';

/** Reads a PKCS #12 file. By node-forge, because OpenSSL 3 does not open the RC2-40 that is still issued. */
export function readPfx({ pfx, senha }: ArquivoPfx): CertificadoLido {
  if (pfx.byteLength > LARGEST_BYTES) return { certo: false, motivo: 'arquivo_invalido' };
  let asn1: forge.asn1.Asn1;
  try {
    asn1 = forge.asn1.fromDer(Buffer.from(pfx).toString('latin1'));
  } catch {
    return { certo: false, motivo: 'arquivo_invalido' };
  }
  let file: forge.pkcs12.Pkcs12Pfx;
  try {
    file = forge.pkcs12.pkcs12FromAsn1(asn1, senha);
  } catch (error) {
    const wrong = error instanceof Error && /password|decrypt|mac could not/i.test(error.message);
    return { certo: false, motivo: wrong ? 'senha_errada' : 'arquivo_invalido' };
  }
  const found = pairOf(file);
  return found === null ? { certo: false, motivo: 'sem_chave' } : { certo: true, certificado: found };
}

/** The private key and the certificate that has its public half: files carry the issuers' certificates too. */
function pairOf(file: forge.pkcs12.Pkcs12Pfx): CertificadoA1 | null {
  const bagsOf = (bagType: string | undefined): forge.pkcs12.Bag[] =>
    bagType === undefined ? [] : (file.getBags({ bagType })[bagType] ?? []);
  const { pkcs8ShroudedKeyBag, keyBag, certBag } = forge.pki.oids;
  const certificates = bagsOf(certBag).flatMap(({ cert }) => (cert === undefined ? [] : [cert]));
  for (const { key } of [...bagsOf(pkcs8ShroudedKeyBag), ...bagsOf(keyBag)]) {
    if (key === undefined || key === null || !('n' in key)) continue;
    const own = certificates.find(
      ({ publicKey }) => 'n' in publicKey && publicKey.n.equals(key.n) && publicKey.e.equals(key.e),
    );
    if (own !== undefined) return describe(key, own, chainOf(own, certificates));
  }
  return null;
}

/** The issuers, each after the one it issued. */
function chainOf(own: forge.pki.Certificate, all: readonly forge.pki.Certificate[]): forge.pki.Certificate[] {
  const chain = [own];
  for (let last = own; chain.length <= all.length;) {
    const issuer = all.find((one) => !chain.includes(one) && last.isIssuer(one));
    if (issuer === undefined) break;
    chain.push(issuer);
    last = issuer;
  }
  return chain;
}

function describe(
  key: forge.pki.PrivateKey,
  own: forge.pki.Certificate,
  chain: readonly forge.pki.Certificate[],
): CertificadoA1 {
  const pem = (certificate: forge.pki.Certificate): string =>
    forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n');
  const titular = nameOf(own.subject);
  return {
    chavePem: createPrivateKey(forge.pki.privateKeyToPem(key)).export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificadoPem: pem(own),
    cadeiaPem: chain.map(pem).join(''),
    titular,
    cnpj: cnpjOf(own, titular),
    emissor: nameOf(own.issuer),
    validoDesde: own.validity.notBefore,
    validoAte: own.validity.notAfter,
  };
}

function nameOf(whose: forge.pki.Certificate['subject']): string {
  const field: unknown = whose.getField('CN');
  const value = typeof field === 'object' && field !== null && 'value' in field ? field.value : null;
  return typeof value === 'string' ? value : '';
}

function cnpjOf(own: forge.pki.Certificate, titular: string): string | null {
  const told = otherNameOf(own, OID_DO_CNPJ) ?? /:([A-Z0-9]{12}\d{2})$/.exec(titular)?.[1] ?? null;
  const cnpj = told === null ? null : normalizarCpfCnpj(told);
  return cnpj?.length === 14 ? cnpj : null;
}

/** What the extension subjectAltName says by an OID of ICP-Brasil: `[0] { OID, [0] { text } }` (DOC-ICP-04). */
function otherNameOf(own: forge.pki.Certificate, oid: string): string | null {
  const extension: unknown = own.getExtension('subjectAltName');
  if (typeof extension !== 'object' || extension === null || !('value' in extension)) return null;
  const { value } = extension;
  if (typeof value !== 'string') return null;
  for (const name of partsOf(forge.asn1.fromDer(value))) {
    const [id, content] = partsOf(name);
    if (id === undefined || content === undefined || typeof id.value !== 'string') continue;
    if (forge.asn1.derToOid(id.value) !== oid) continue;
    const [text] = partsOf(content);
    if (typeof text?.value === 'string') return text.value;
  }
  return null;
}

const partsOf = ({ value }: forge.asn1.Asn1): readonly forge.asn1.Asn1[] => (Array.isArray(value) ? value : []);
