import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';

const METHODS = [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.PATCH, HttpMethodEnum.DELETE];

/** Why a body was not read. */
export type BodyFault = 'type' | 'encoding' | 'size';

/** A body's bytes, or why there are none. */
export type BodyRead = { readonly bytes: Buffer; readonly fault?: never } | { readonly fault: BodyFault };

/**
 * Reads a body of one media type, in UTF-8 and uncompressed, up to a size such as `64kb`. The bytes are as they came, because what
 * koa-body parses itself it has decoded before, with a U+FFFD in place of what was no UTF-8 (ADR 23).
 */
export function createBodyReader(mime: string, limit: string): (ctx: Context) => Promise<BodyRead> {
  const read = koaBody({
    json: false,
    urlencoded: false,
    textTypes: [mime],
    textLimit: limit,
    // None: the body is a Buffer.
    encoding: '',
    parsedMethods: METHODS,
  });
  return async (ctx) => {
    if (ctx.is(mime) !== mime) return { fault: 'type' };
    const utf8 = /^(utf-8)?$/i.test(ctx.request.charset);
    const plain = /^(identity)?$/i.test(ctx.get('Content-Encoding'));
    if (!utf8 || !plain) return { fault: 'encoding' };
    try {
      await read(ctx, async () => {});
    } catch {
      return { fault: 'size' };
    }
    return { bytes: (ctx.request as { body?: unknown }).body as Buffer };
  };
}

/** @throws Error when the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}
