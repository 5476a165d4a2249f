import { generateKeyPairSync, randomBytes } from 'node:crypto';
import forge from 'node-forge';

const DIA_MS = 86_400_000;
const TRINTA_ANOS_MS = 30 * 365 * DIA_MS;
const OID_DO_CNPJ = '2.16.76.1.3.3';

interface Par {
  readonly certificado: forge.pki.Certificate;
  readonly chave: forge.pki.rsa.PrivateKey;
}

interface ParPem {
  readonly chavePem: string;
  readonly certificadoPem: string;
}

/** Certificates of a demonstration or a test, of an authority that nobody else trusts. */
export interface Cartorio {
  /** Of the authority that issues the others, PEM. */
  readonly caPem: string;
  /** For a server at this machine. */
  readonly servidor: ParPem;
  /** An A1 of a company. @param como how it differs from a good one */
  a1(
    cnpj: string,
    razao: string,
    senha: string,
    como?: { readonly de?: Date; readonly ate?: Date; readonly legado?: boolean },
  ): Buffer;
}

/** Makes them; forge's own way of making keys takes seconds. */
export function abrirCartorio(agora: Date): Cartorio {
  const ca = emitir(null, 'Autoridade de demonstração', agora, { ca: true });
  const servidor = emitir(ca, 'localhost', agora, { servidor: true });
  return {
    caPem: forge.pki.certificateToPem(ca.certificado),
    servidor: {
      chavePem: forge.pki.privateKeyToPem(servidor.chave),
      certificadoPem: forge.pki.certificateToPem(servidor.certificado),
    },
    a1(cnpj, razao, senha, { de, ate, legado = false } = {}) {
      const { certificado, chave } = emitir(ca, `${razao}:${cnpj}`, agora, {
        cnpj,
        ...(de === undefined ? {} : { de }),
        ...(ate === undefined ? {} : { ate }),
      });
      const asn1 = forge.pkcs12.toPkcs12Asn1(chave, [certificado, ca.certificado], senha, {
        algorithm: legado ? '3des' : 'aes256',
      });
      return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1');
    },
  };
}

interface Como {
  readonly ca?: boolean;
  readonly servidor?: boolean;
  readonly cnpj?: string;
  readonly de?: Date;
  readonly ate?: Date;
}

function emitir(de: Par | null, nome: string, agora: Date, como: Como): Par {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const chave = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
  const certificado = forge.pki.createCertificate();
  certificado.publicKey = forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  // Positive, as RFC 5280 wants it.
  certificado.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificado.validity.notBefore = como.de ?? new Date(agora.getTime() - DIA_MS);
  certificado.validity.notAfter = como.ate ?? new Date(agora.getTime() + TRINTA_ANOS_MS);
  const sujeito = [
    { name: 'commonName', value: nome, valueTagClass: forge.asn1.Type.UTF8 as unknown as forge.asn1.Class },
  ];
  certificado.setSubject(sujeito);
  certificado.setIssuer(de === null ? sujeito : de.certificado.subject.attributes);
  certificado.setExtensions([
    { name: 'basicConstraints', cA: como.ca === true },
    ...(como.ca === true
      ? [{ name: 'keyUsage', keyCertSign: true, cRLSign: true }]
      : [{ name: 'keyUsage', digitalSignature: true, nonRepudiation: true, keyEncipherment: true }]),
    ...(como.servidor === true
      ? [
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: 'localhost' },
              { type: 7, ip: '127.0.0.1' },
            ],
          },
        ]
      : []),
    ...(como.cnpj === undefined ? [] : [{ name: 'extKeyUsage', clientAuth: true }, doCnpj(como.cnpj)]),
  ]);
  certificado.sign(de === null ? chave : de.chave, forge.md.sha256.create());
  return { certificado, chave };
}

/** subjectAltName with an otherName of ICP-Brasil: `[0] { OID, [0] { text } }` (DOC-ICP-04). */
function doCnpj(cnpj: string): object {
  const { asn1 } = forge;
  // The tag's number, which is no universal type.
  const ZERO = asn1.Type.NONE;
  const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
  const { OID, SEQUENCE, PRINTABLESTRING } = asn1.Type;
  const nome = asn1.create(CONTEXT_SPECIFIC, ZERO, true, [
    asn1.create(UNIVERSAL, OID, false, asn1.oidToDer(OID_DO_CNPJ).getBytes()),
    asn1.create(CONTEXT_SPECIFIC, ZERO, true, [asn1.create(UNIVERSAL, PRINTABLESTRING, false, cnpj)]),
  ]);
  return { id: '2.5.29.17', value: asn1.toDer(asn1.create(UNIVERSAL, SEQUENCE, true, [nome])).getBytes() };
}
