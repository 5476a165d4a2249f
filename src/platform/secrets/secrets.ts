import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where a secret is kept. It cannot be opened as if it stood anywhere else. */
interface Place {
  readonly tenant: number;
  readonly table: string;
  readonly column: string;
  /** Which of the column's values it is, where others could be put in its place. */
  readonly row?: string;
}

/** Encrypts what must be read back: AES-256-GCM under the master key. */
export interface Secrets {
  seal(place: Place, clear: Uint8Array): Buffer;
  /** @throws SecretUnreadable when it was sealed for another place, under a key that is gone, or was changed. */
  open(place: Place, sealed: Uint8Array): Buffer;
  /** HMAC-SHA-256 of a text that is compared and never read back. */
  sign(place: Place, text: string): Buffer;
  /** Whether any of the keys made this HMAC of a text, for this place. */
  isSigned(place: Place, text: string, signature: Uint8Array): boolean;
}

/** A secret that none of the keys opens. The message says no more than which key it asks for. */
export class SecretUnreadable extends Error {}

export const KEY_BYTES = 32;

const CIPHER = 'aes-256-gcm';
/** The first byte of what is sealed: how the rest is put together. */
const FORM = 1;
const ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + ID_BYTES;

/**
 * @param keys asked at the first use, so that who seals nothing needs no key. The first one seals; all of them open, so a key can be
 *   changed while what the one before has sealed is still there.
 */
export function createSecrets(keys: () => readonly Buffer[]): Secrets {
  let known: readonly { readonly id: Buffer; readonly key: Buffer }[] | undefined;
  const ring = () => (known ??= keys().map((key) => ({ key, id: idOf(key) })));

  return {
    seal(place, clear) {
      const [current] = ring();
      if (current === undefined) throw new Error('no master key');
      const head = Buffer.concat([Buffer.from([FORM]), current.id]);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(boundTo(place, head));
      const hidden = Buffer.concat([cipher.update(clear), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), hidden]);
    },

    open(place, sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const head = bytes.subarray(0, HEAD_BYTES);
      const id = head.subarray(1);
      if (bytes.length < HEAD_BYTES + NONCE_BYTES + TAG_BYTES || bytes[0] !== FORM) {
        throw new SecretUnreadable('o que está guardado não é um segredo cifrado');
      }
      const found = ring().find((one) => one.id.equals(id));
      if (found === undefined) {
        throw new SecretUnreadable(
          `foi cifrado com a chave mestra ${id.toString('hex')}, que não está entre as configuradas`,
        );
      }
      const nonce = bytes.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
      const tag = bytes.subarray(HEAD_BYTES + NONCE_BYTES, HEAD_BYTES + NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, found.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(place, head)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES + NONCE_BYTES + TAG_BYTES)), decipher.final()]);
      } catch {
        throw new SecretUnreadable('o segredo guardado foi alterado, ou é de outro lugar');
      }
    },

    sign(place, text) {
      const [current] = ring();
      if (current === undefined) throw new Error('no master key');
      return signatureOf(current.key, place, text);
    },

    isSigned: (place, text, signature) =>
      ring().some(({ key }) => {
        const own = signatureOf(key, place, text);
        return own.length === signature.length && timingSafeEqual(own, signature);
      }),
  };
}

/** The same name as messages have it. */
export const keyName = (key: Buffer): string => idOf(key).toString('hex');

/** A key's name: from the key itself, so that nobody has to number them, and of no use to guess it. */
function idOf(key: Buffer): Buffer {
  return createHash('sha256').update('malha:chave-mestra').update(key).digest().subarray(0, ID_BYTES);
}

/** JSON, because it says where each part ends. */
function boundTo({ tenant, table, column, row = '' }: Place, head: Buffer): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([tenant, table, column, row]))]);
}

/** Under a key that seals nothing. */
function signatureOf(key: Buffer, place: Place, text: string): Buffer {
  const own = createHmac('sha256', key).update('malha:assinatura').digest();
  return createHmac('sha256', own)
    .update(boundTo(place, Buffer.alloc(0)))
    .update(`\n${text}`)
    .digest();
}
