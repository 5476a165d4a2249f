import type { Context } from 'koa';
import rawBody from 'raw-body';

/** Why a body was not read. */
export type BodyFault = 'type' | 'encoding' | 'size';

/** A body's bytes, or why there are none. */
export type BodyRead = { readonly bytes: Buffer; readonly fault?: never } | { readonly fault: BodyFault };

/**
 * Reads a body of one media type, in UTF-8 and uncompressed, up to a size such as `64kb`. The bytes are as they came: a
 * library that parses decodes them before, with a U+FFFD in place of what was no UTF-8 (ADR 23).
 */
export function createBodyReader(mime: string, limit: string): (ctx: Context) => Promise<BodyRead> {
  return async (ctx) => {
    if (ctx.is(mime) !== mime) return { fault: 'type' };
    const utf8 = /^(utf-8)?$/i.test(ctx.request.charset);
    const plain = /^(identity)?$/i.test(ctx.get('Content-Encoding'));
    if (!utf8 || !plain) return { fault: 'encoding' };
    try {
      return { bytes: await rawBody(ctx.req, { limit, length: ctx.request.length ?? null }) };
    } catch {
      return { fault: 'size' };
    }
  };
}

/** @throws Error when the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}
