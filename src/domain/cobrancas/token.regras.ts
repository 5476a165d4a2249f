/** 16 bytes in base64url. */
const FORMATO = /^[\w-]{22}$/;

/** Whether a text can be the token of a payment link; most of what is not leads nowhere without being looked up. */
export function tokenBemFormado(token: string): boolean {
  return FORMATO.test(token);
}
