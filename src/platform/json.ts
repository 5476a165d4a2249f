import { randomBytes } from 'node:crypto';

// Random in each process, and it never leaves the process. So no text from outside can be taken for a number.
const MARK = `~${randomBytes(12).toString('hex')}~`;
const MARKED = new RegExp(`"${MARK}(-?\\d+(?:\\.\\d+)?)"`, 'g');

/** A decimal that is written to JSON as a number with exactly these digits. */
export interface JsonDecimal {
  toJSON(): string;
}

/** Makes a JSON number from decimal text, digit for digit: `99.90` stays `99.90`. @throws RangeError on other text. */
export function jsonDecimal(text: string): JsonDecimal {
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new RangeError(`not a decimal: ${text}`);
  return { toJSON: () => MARK + text };
}

/** `JSON.stringify` with support for `JsonDecimal`. A JavaScript number would print 99.90 as 99.9. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(MARKED, '$1');
}
