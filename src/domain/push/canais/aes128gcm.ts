import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** Where a browser wants its messages encrypted to (RFC 8291, section 3.1). */
export interface ChavesDoNavegador {
  /** Public key: an uncompressed point of P-256, 65 bytes. */
  readonly p256dh: Buffer;
  /** 16 bytes. */
  readonly auth: Buffer;
}

const CURVA = 'prime256v1';
/** One record holds the whole message: what is longer than this, with delimiter and tag, does not fit. */
const REGISTRO = 4096;
const FIM_DO_ULTIMO_REGISTRO = Buffer.from([2]);

const derivar = (segredo: Uint8Array, sal: Uint8Array, info: string | Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', segredo, sal, info, bytes));

/**
 * Encrypts a message of Web Push: `aes128gcm` of RFC 8188 under the key of RFC 8291, for one browser, each time under another key.
 *
 * @param sorte salt (16 bytes) and private key, in tests alone
 * @throws where `p256dh` is no point of the curve
 */
export function cifrarParaNavegador(
  claro: Uint8Array,
  { p256dh, auth }: ChavesDoNavegador,
  sorte?: { readonly sal: Buffer; readonly privada: Buffer },
): Buffer {
  const ecdh = createECDH(CURVA);
  if (sorte === undefined) ecdh.generateKeys();
  else ecdh.setPrivateKey(sorte.privada);
  const publica = ecdh.getPublicKey();
  const sal = sorte?.sal ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publica]);
  const ikm = derivar(ecdh.computeSecret(p256dh), auth, info, 32);
  const chave = derivar(ikm, sal, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derivar(ikm, sal, 'Content-Encoding: nonce\0', 12);
  const cifra = createCipheriv('aes-128-gcm', chave, nonce);
  const cifrado = Buffer.concat([cifra.update(claro), cifra.update(FIM_DO_ULTIMO_REGISTRO), cifra.final()]);
  const cabeca = Buffer.alloc(5);
  cabeca.writeUInt32BE(REGISTRO);
  cabeca.writeUInt8(publica.length, 4);
  return Buffer.concat([sal, cabeca, publica, cifrado, cifra.getAuthTag()]);
}

/** Whether bytes are a point of the curve that can be encrypted to. */
export function ehPonto(p256dh: Uint8Array): boolean {
  if (p256dh.length !== 65 || p256dh[0] !== 4) return false;
  const ecdh = createECDH(CURVA);
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}
