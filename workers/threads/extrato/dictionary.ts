import type { Fields } from './fields.ts';

/**
 * Values that are looked at before giving up. With a quarter of this, a column with 400 distinct values was given up.
 */
const SAMPLE = 2000;

export interface Dictionary {
  /** Each distinct value, once. */
  readonly distinct: Fields;
  /** For each value, its index among the distinct ones. */
  readonly indices: Int32Array;
}

/** Compares the bytes of the values. Null when half or more are distinct, of all values or of the first ones. */
export function createDictionary(fields: Fields): Dictionary | null {
  const { view, starts, ends } = fields;
  const count = starts.length;
  const indices = new Int32Array(count);
  const firsts = new Int32Array(count);
  // A hash table: each slot has the index of a distinct value plus one, or zero. It has two slots for each value, so
  // that few values share one.
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
  const mask = slots.length - 1;
  let known = 0;
  for (let n = 0; n < count; n += 1) {
    if (2 * known >= Math.max(n, SAMPLE)) return null;
    const start = starts[n] ?? 0;
    const end = ends[n] ?? 0;
    let slot = hashOf(view, start, end) & mask;
    let found = (slots[slot] ?? 0) - 1;
    while (found >= 0) {
      const first = firsts[found] ?? 0;
      if (areEqual(view, start, end, starts[first] ?? 0, ends[first] ?? 0)) break;
      slot = (slot + 1) & mask;
      found = (slots[slot] ?? 0) - 1;
    }
    if (found < 0) {
      found = known;
      firsts[known] = n;
      known += 1;
      slots[slot] = known;
    }
    indices[n] = found;
  }
  if (2 * known >= count) return null;
  const own = firsts.subarray(0, known);
  const pick = (bounds: Int32Array): Int32Array => own.map((n) => bounds[n] ?? 0);
  return { distinct: { ...fields, starts: pick(starts), ends: pick(ends) }, indices };
}

/** Reads four bytes at a time, because there are millions of fields. */
function hashOf(view: DataView, start: number, end: number): number {
  let hash = end - start;
  let n = start;
  for (; n + 4 <= end; n += 4) hash = mix(hash, view.getInt32(n));
  for (; n < end; n += 1) hash = mix(hash, view.getUint8(n));
  return hash ^ (hash >>> 15);
}

/** Fibonacci hashing; the shift mixes the high bits into the low ones. */
const mix = (hash: number, more: number): number => Math.imul(hash ^ more, 0x9e3779b1) ^ (hash >>> 15);

function areEqual(view: DataView, start: number, end: number, other: number, endOfOther: number): boolean {
  if (end - start !== endOfOther - other) return false;
  let n = start;
  let m = other;
  for (; n + 4 <= end; n += 4, m += 4) if (view.getInt32(n) !== view.getInt32(m)) return false;
  for (; n < end; n += 1, m += 1) if (view.getUint8(n) !== view.getUint8(m)) return false;
  return true;
}
