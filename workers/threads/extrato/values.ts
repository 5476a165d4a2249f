import { ByteWriter } from 'hyparquet-writer';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { TipoDeColuna } from './contract.ts';
import type { Fields } from './fields.ts';
import { readDigits } from './rows.ts';

const DAY_MS = 86_400_000;
/** Four hundred years, after which the calendar repeats. */
const CYCLE_MS = 146_097 * DAY_MS;

type PhysicalType = 'BOOLEAN' | 'INT32' | 'INT64' | 'BYTE_ARRAY';

/** Values as Parquet stores them, one after the other. */
interface Values {
  readonly bytes: Uint8Array;
  /**
   * The least and the greatest value, of numbers, dates and instants, so that readers can skip groups. Texts have none,
   * because nobody searches for a range of names.
   */
  readonly bounds?: { readonly min_value: number | bigint; readonly max_value: number | bigint };
}

interface Encoding {
  readonly physical: PhysicalType;
  /** Parquet, "Encodings": the encoding of the bytes that `encode` returns. */
  readonly encoding: 'PLAIN' | 'RLE';
  readonly encode: (fields: Fields) => Values;
}

type ReadNumber = (view: DataView, start: number, end: number) => number;

const numbers = (physical: 'INT32' | 'INT64', read: ReadNumber): Encoding => ({
  physical,
  encoding: 'PLAIN',
  encode: (fields) => encodeNumbers(fields, physical, read),
});
const integers = numbers('INT64', readDigits);
const texts: Encoding = { physical: 'BYTE_ARRAY', encoding: 'PLAIN', encode: encodeTexts };

export const ENCODINGS: Readonly<Record<TipoDeColuna, Encoding>> = {
  inteiro: integers,
  // Stored as centavos; the schema has the scale.
  dinheiro: integers,
  apurado: integers,
  data: numbers('INT32', (view, start) => dayAt(view, start) / DAY_MS),
  instante: numbers('INT64', (view, start, end) => dayAt(view, start) + timeAt(view, start + 11, end)),
  booleano: { physical: 'BOOLEAN', encoding: 'RLE', encode: encodeBooleans },
  texto: texts,
  textos: texts,
};

function encodeNumbers({ view, starts, ends }: Fields, physical: 'INT32' | 'INT64', read: ReadNumber): Values {
  const width = physical === 'INT32' ? 4 : 8;
  const bytes = new Uint8Array(starts.length * width);
  const target = new DataView(bytes.buffer);
  let least = Infinity;
  let greatest = -Infinity;
  for (let n = 0, at = 0; n < starts.length; n += 1, at += width) {
    const value = read(view, starts[n] ?? 0, ends[n] ?? 0);
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    // Two's complement, in two halves: to make a bigint of each number would cost more than everything else.
    target.setUint32(at, value, true);
    if (width === 8) target.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
  }
  if (starts.length === 0) return { bytes };
  const toBound = physical === 'INT32' ? Number : BigInt;
  return { bytes, bounds: { min_value: toBound(least), max_value: toBound(greatest) } };
}

/** Each text after its length in bytes. It is copied as in text.ts, for the same reason. */
function encodeTexts({ view, starts, ends }: Fields): Values {
  let total = 4 * starts.length;
  for (let n = 0; n < starts.length; n += 1) total += (ends[n] ?? 0) - (starts[n] ?? 0);
  const bytes = new Uint8Array(total);
  const target = new DataView(bytes.buffer);
  let at = 0;
  for (let n = 0; n < starts.length; n += 1) {
    const end = ends[n] ?? 0;
    let from = starts[n] ?? 0;
    target.setUint32(at, end - from, true);
    at += 4;
    for (; from + 4 <= end; from += 4, at += 4) target.setInt32(at, view.getInt32(from));
    for (; from < end; from += 1, at += 1) target.setUint8(at, view.getUint8(from));
  }
  return { bytes };
}

/** Parquet, "Run Length Encoding / Bit-Packing Hybrid": the length in bytes, and then the booleans. */
function encodeBooleans({ view, starts }: Fields): Values {
  const writer = new ByteWriter();
  const values = Uint8Array.from(starts, (start) => (view.getUint8(start) === 0x30 ? 0 : 1));
  writer.appendUint32(0);
  writeRleBitPackedHybrid(writer, values, 1);
  writer.view.setUint32(0, writer.index - 4, true);
  return { bytes: writer.getBytes() };
}

/** Milliseconds from 1970 to the date that begins at `start`. */
function dayAt(view: DataView, start: number): number {
  const part = (from: number, until: number): number => readDigits(view, start + from, start + until);
  // `Date.UTC` takes the years up to 99 for 19xx, so 400 years are added and subtracted again.
  return Date.UTC(part(0, 4) + 400, part(5, 7) - 1, part(8, 10)) - CYCLE_MS;
}

/** Milliseconds from midnight to the time that begins at `start`, with or without milliseconds. */
function timeAt(view: DataView, start: number, end: number): number {
  const part = (from: number, until: number): number => readDigits(view, start + from, Math.min(end, start + until));
  return ((part(0, 2) * 60 + part(3, 5)) * 60 + part(6, 8)) * 1000 + part(9, 12);
}
