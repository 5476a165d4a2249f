import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/*
 * What keeps other sites from posting this form.
 *
 * There is no session whose authority a forged post could borrow: what lets somebody register is the token in the link, which a
 * page elsewhere does not know and no Referer tells it. Left is whoever holds a link and would have somebody else's browser use
 * it. Against that stand, in this order: `Sec-Fetch-Site` and `Origin`, which no page can forge (see origem.ts), and this mark
 * for browsers that send neither. The mark is an HMAC over a random cookie, so a post needs the mark and the cookie of one
 * browser: a page elsewhere can compute marks for a link that it holds, and cannot read or set our cookie (SameSite=Strict,
 * `__Host-` over TLS). The key is the link's own token, which every process has in hand and no setting has to hold.
 *
 * The mark also says when the form was first given out. Whoever holds the link could forge that, but then could also wait;
 * what it stops are robots that fill whatever form they find.
 */

const BISCOITO = /^[\w-]{22}$/;
const MARCA = /^(\d{1,15})\.([\w-]{43})$/;

/** Nobody types a registration faster; a robot does. */
const MENOR_PREENCHIMENTO_MS = 3000;

/** The browser's half of a mark: the cookie that it already has, or a new one. */
export function biscoitoDe(enviado: string | undefined): string {
  return enviado !== undefined && BISCOITO.test(enviado) ? enviado : randomBytes(16).toString('base64url');
}

export function marcar(token: string, biscoito: string, emitidaEm: Date): string {
  const ms = String(emitidaEm.getTime());
  return `${ms}.${assinar(token, biscoito, ms)}`;
}

/** What a posted mark says: not of this browser and link, too early, or good. */
export function conferirMarca(
  token: string,
  biscoito: string | undefined,
  marca: string,
  agora: Date,
): 'alheia' | 'cedo' | 'boa' {
  const [, ms, assinatura] = MARCA.exec(marca) ?? [];
  if (biscoito === undefined || !BISCOITO.test(biscoito) || ms === undefined || assinatura === undefined)
    return 'alheia';
  // Of the same length, by their shapes.
  if (!timingSafeEqual(Buffer.from(assinatura), Buffer.from(assinar(token, biscoito, ms)))) return 'alheia';
  return agora.getTime() - Number(ms) < MENOR_PREENCHIMENTO_MS ? 'cedo' : 'boa';
}

function assinar(token: string, biscoito: string, ms: string): string {
  return createHmac('sha256', token).update(`pre-cadastro ${biscoito} ${ms}`).digest('base64url');
}
