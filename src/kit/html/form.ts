import type { Context } from 'koa';
import { createBodyReader } from '../../platform/http/body.ts';

const read = createBodyReader('application/x-www-form-urlencoded', '64kb');

/**
 * Reads the fields of a posted form. Null when the body is not a form of at most 64 KiB in UTF-8, has a field twice, or
 * contains a NUL character, which nobody can type.
 */
export async function readForm(ctx: Context): Promise<ReadonlyMap<string, string> | null> {
  const body = await read(ctx);
  if (body.fault !== undefined) return null;
  try {
    return parse(body.bytes.toString('latin1'));
  } catch {
    return null;
  }
}

/**
 * Parses as the WHATWG URL standard does (section 5.1), but refuses what that would repair.
 * @throws Error on such input
 */
function parse(bytes: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of bytes.split('&').filter((text) => text !== '')) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    if (fields.has(key)) throw new Error('a field twice');
    fields.set(key, decode(value.join('=')));
  }
  return fields;
}

function decode(text: string): string {
  if (/%(?![\da-f]{2})/i.test(text)) throw new Error('a broken escape');
  const latin1 = text
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, hexadecimal: string) => String.fromCharCode(Number.parseInt(hexadecimal, 16)));
  const decoded = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, 'latin1'));
  if (decoded.includes('\0')) throw new Error('a NUL');
  return decoded;
}
