import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** What a certificate of the tests is to be. */
export interface CertificadoDeTeste {
  /** The CN; the default has the CNPJ at its end. */
  readonly titular?: string;
  /** CNPJ of the extension of ICP-Brasil; null for none. */
  readonly cnpj?: string | null;
  readonly de?: Date;
  readonly ate?: Date;
  readonly senha?: string;
  readonly cifra?: '3des' | 'aes256';
  /** Whose key is in the file: another's makes it a file without the certificate of its key. */
  readonly chaveAlheia?: boolean;
}

const CNPJ = '11222333000181';

/** A file PKCS #12 as a bank issues it: the issuer's certificate first, then the leaf's, and its key. */
export function pfxDeTeste({
  titular = `PROVEDOR TESTE LTDA:${CNPJ}`,
  cnpj = CNPJ,
  de = new Date('2026-01-01T00:00:00Z'),
  ate = new Date('2027-01-01T00:00:00Z'),
  senha = 'segredo',
  cifra = '3des',
  chaveAlheia = false,
}: CertificadoDeTeste = {}): Uint8Array {
  const [autoridade, folha] = [parDe('autoridade'), parDe('folha')];
  const emissor = certificado('AC DE TESTE', autoridade.publica, 'AC DE TESTE', autoridade.privada, [
    { name: 'basicConstraints', cA: true },
  ]);
  const proprio = certificado(titular, folha.publica, 'AC DE TESTE', autoridade.privada, extensao(cnpj), de, ate);
  const chave = chaveAlheia ? parDe('alheia').privada : folha.privada;
  const asn1 = forge.pkcs12.toPkcs12Asn1(chave, [emissor, proprio], senha, { algorithm: cifra });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
}

/** The certificate of a server and its key, and that of the authority that signed it, which nobody knows; all as PEM. */
export function servidorDeTeste(host: string) {
  const [autoridade, folha] = [parDe('autoridade'), parDe('folha')];
  const emissor = certificado('AC ALHEIA', autoridade.publica, 'AC ALHEIA', autoridade.privada, [
    { name: 'basicConstraints', cA: true },
  ]);
  const nomes = [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }];
  const proprio = certificado(host, folha.publica, 'AC ALHEIA', autoridade.privada, nomes);
  return {
    autoridade: forge.pki.certificateToPem(emissor),
    certificado: forge.pki.certificateToPem(proprio),
    chave: forge.pki.privateKeyToPem(folha.privada),
  };
}

interface Par {
  readonly publica: forge.pki.PublicKey;
  readonly privada: forge.pki.rsa.PrivateKey;
}

const pares = new Map<string, Par>();

/** The keys of each part, for all certificates of a test file: to make them takes long. */
function parDe(papel: 'autoridade' | 'folha' | 'alheia'): Par {
  const feito = pares.get(papel) ?? par();
  pares.set(papel, feito);
  return feito;
}

/** By node:crypto: forge's own generation is slow. */
function par(): Par {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    publica: forge.pki.publicKeyFromPem(publicKey),
    privada: forge.pki.privateKeyFromPem(privateKey),
  };
}

function certificado(
  titular: string,
  chave: forge.pki.PublicKey,
  emissor: string,
  assina: forge.pki.rsa.PrivateKey,
  extensoes: readonly object[],
  de = new Date('2020-01-01T00:00:00Z'),
  ate = new Date('2040-01-01T00:00:00Z'),
): forge.pki.Certificate {
  const um = forge.pki.createCertificate();
  um.publicKey = chave;
  um.serialNumber = '01';
  um.validity.notBefore = de;
  um.validity.notAfter = ate;
  um.setSubject([{ name: 'commonName', value: titular }]);
  um.setIssuer([{ name: 'commonName', value: emissor }]);
  um.setExtensions([...extensoes]);
  um.sign(assina, forge.md.sha256.create());
  return um;
}

/** subjectAltName with the names of ICP-Brasil: the responsible's, and the CNPJ (DOC-ICP-04). */
function extensao(cnpj: string | null): object[] {
  if (cnpj === null) return [];
  const { asn1 } = forge;
  const nome = (oid: string, texto: string): forge.asn1.Asn1 =>
    asn1.create(asn1.Class.CONTEXT_SPECIFIC, asn1.Type.NONE, true, [
      asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(oid).getBytes()),
      asn1.create(asn1.Class.CONTEXT_SPECIFIC, asn1.Type.NONE, true, [
        asn1.create(asn1.Class.UNIVERSAL, asn1.Type.PRINTABLESTRING, false, texto),
      ]),
    ]);
  const nomes = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [
    nome('2.16.76.1.3.2', 'RESPONSAVEL TESTE'),
    nome('2.16.76.1.3.3', cnpj),
  ]);
  return [{ id: '2.5.29.17', value: asn1.toDer(nomes).getBytes() }];
}
