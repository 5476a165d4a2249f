import { isNull, endOfText, viewOf } from './rows.ts';
import type { Rows } from './rows.ts';

/** The values of a column that are not null, and where they are. */
export interface Fields {
  readonly view: DataView;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Parquet, "Nested Encoding": 1 for each value, 0 for each missing one. */
  readonly definition: Uint8Array;
  /** For lists: 0 for the first value of a row, 1 for the following ones. Null for other columns. */
  readonly repetition: Uint8Array | null;
}

/** The values of a column that has no lists. `column` is its index, and `columns` the number of columns. */
export function fieldsOf({ count, bytes, ...bounds }: Rows, column: number, columns: number): Fields {
  const view = viewOf(bytes);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const definition = new Uint8Array(count);
  let found = 0;
  for (let row = 0, field = column; row < count; row += 1, field += columns) {
    const start = bounds.starts[field] ?? 0;
    const end = bounds.ends[field] ?? 0;
    if (isNull(view, start, end)) continue;
    definition[row] = 1;
    starts[found] = start;
    ends[found] = end;
    found += 1;
  }
  return { view, starts: starts.subarray(0, found), ends: ends.subarray(0, found), definition, repetition: null };
}

/** The values of a column of lists, in which null is an empty list. */
export function fieldsOfLists({ count, bytes, ...bounds }: Rows, column: number, columns: number): Fields {
  const view = viewOf(bytes);
  const starts: number[] = [];
  const ends: number[] = [];
  const definition: number[] = [];
  const repetition: number[] = [];
  for (let row = 0, field = column; row < count; row += 1, field += columns) {
    const start = bounds.starts[field] ?? 0;
    const end = bounds.ends[field] ?? 0;
    if (isNull(view, start, end)) {
      definition.push(0);
      repetition.push(0);
      continue;
    }
    for (let from = start; from <= end;) {
      const until = endOfText(view, from, end);
      starts.push(from);
      ends.push(until);
      definition.push(1);
      repetition.push(from === start ? 0 : 1);
      from = until + 1;
    }
  }
  return {
    view,
    starts: Int32Array.from(starts),
    ends: Int32Array.from(ends),
    definition: Uint8Array.from(definition),
    repetition: Uint8Array.from(repetition),
  };
}
