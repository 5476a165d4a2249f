/** A place in a list: what the columns of its order hold in the last row before it. */
export type Place = readonly (string | number)[];

/** Where the rows of a page are found. */
export interface Seek {
  /** Null: at the list's first row, or, backwards, at its last one. */
  readonly place: Place | null;
  /** From the place towards the first row. */
  readonly backwards: boolean;
  /** Rows from the place to the page. */
  readonly offset: number;
  readonly limit: number;
}

/** Rows between two marks: a millisecond's way. */
const APART = 1000;
const MOST = 1000;

interface Mark {
  /** Rows before it. */
  readonly before: number;
  readonly place: Place;
}

/** How many rows a list has, and where some of them stand. */
export type Marks = ReturnType<typeof createMarks>;

/**
 * Counting off a page of a long list costs as much as the rows on the way to it. So a page far from the first that was counted off leaves
 * a mark, and the next one is counted off from the nearest: from its own side of the list, and after some pages from nearby.
 */
export function createMarks(rows: number) {
  const apart = Math.max(APART, rows / MOST);
  const marks: Mark[] = [];

  return {
    rows,

    /** The shortest way to the rows from `offset` on. */
    seek(offset: number, length: number): Seek {
      const end = Math.min(offset + length, rows);
      const below = marks.findLast(({ before }) => before <= offset) ?? { before: 0, place: null };
      const above = marks.find(({ before }) => before >= end) ?? { before: rows, place: null };
      return above.before - end < offset - below.before
        ? { place: above.place, backwards: true, offset: above.before - end, limit: end - offset }
        : { place: below.place, backwards: false, offset: offset - below.before, limit: length };
    },

    /** Remembers a place by the number of rows before it. */
    leave(before: number, place: Place): void {
      const following = marks.findIndex((mark) => mark.before > before);
      const at = following === -1 ? marks.length : following;
      const isNear = (mark: Mark | undefined): boolean => mark !== undefined && Math.abs(mark.before - before) < apart;
      if (!isNear(marks[at - 1]) && !isNear(marks[at])) marks.splice(at, 0, { before, place });
    },
  };
}
