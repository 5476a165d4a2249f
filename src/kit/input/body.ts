import type { Context } from 'koa';
import { createBodyReader, parseJson } from '../../platform/http/body.ts';
import type { BodyFault } from '../../platform/http/body.ts';
import { Failure } from '../reply/failure.ts';

/** How large the JSON bodies of a surface may be, and the messages for bodies that are refused. */
export interface BodyRules {
  /** Such as `64kb`. */
  readonly limit: string;
  readonly messages: Readonly<Record<BodyFault | 'json', string>>;
  /** A body that is a list is read as an object with the list in this field. */
  readonly listAs?: string;
}

/** Reads a route's JSON body; `{}` when it is absent and not required. Anything else is a Failure of code `invalid`. */
export function createJsonReader(
  { limit, messages, listAs }: BodyRules,
  required: boolean,
  invalid: string,
): (ctx: Context) => Promise<unknown> {
  const read = createBodyReader('application/json', limit);
  return async (ctx) => {
    const { 'transfer-encoding': encoding, 'content-length': length } = ctx.req.headers;
    if (!required && encoding === undefined && !(Number(length ?? 0) > 0)) return {};
    const body = await read(ctx);
    if (body.fault !== undefined) throw new Failure(invalid, messages[body.fault]);
    if (body.bytes.length === 0 && !required) return {};
    try {
      const json = parseJson(body.bytes);
      return listAs !== undefined && Array.isArray(json) ? { [listAs]: json as unknown[] } : json;
    } catch {
      throw new Failure(invalid, messages.json);
    }
  };
}
