import type { Context } from 'koa';
import { createBodyReader } from '../../platform/http/body.ts';

/** The fields of a posted form, each with its values in the order in which they came. */
export type FormFields = ReadonlyMap<string, readonly string[]>;

const read = createBodyReader('application/x-www-form-urlencoded', '64kb');

/** Fields of one form that are read, at most: a form of ours has far fewer. */
const MOST_PAIRS = 2000;

/**
 * Reads the fields of a posted form that has each field once. Null when the body is not a form of at most 64 KiB in UTF-8, has a field
 * twice, or contains a NUL character, which nobody can type.
 */
export async function readForm(ctx: Context): Promise<ReadonlyMap<string, string> | null> {
  const fields = await readFormLists(ctx);
  if (fields === null) return null;
  const single = new Map<string, string>();
  for (const [name, [value = '', ...more]] of fields) {
    if (more.length > 0) return null;
    single.set(name, value);
  }
  return single;
}

/** The same for a form in which a field may come several times, such as a group of check boxes. */
export async function readFormLists(ctx: Context): Promise<FormFields | null> {
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
function parse(bytes: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  const pairs = bytes.split('&').filter((text) => text !== '');
  if (pairs.length > MOST_PAIRS) throw new Error('too many fields');
  for (const pair of pairs) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    const values = fields.get(key) ?? [];
    values.push(decode(value.join('=')));
    fields.set(key, values);
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
