/** A place in a list: the values that the columns of the order have in the last row before the place. */
export type Place = readonly (string | number)[];

/** Where the rows of a page are found. */
export interface Seek {
  /** Null for the beginning of the list or, backwards, its end. */
  readonly place: Place | null;
  /** True when the rows are read from the place towards the first row. */
  readonly backwards: boolean;
  /** The number of rows between the place and the page. */
  readonly offset: number;
  readonly limit: number;
}

/** The fewest rows between two marks. To count them takes about a millisecond. */
const APART = 1000;
const MOST = 1000;

interface Mark {
  /** The number of rows before the mark. */
  readonly before: number;
  readonly place: Place;
}

/** How many rows a list has, and the places of some of them. */
export type Marks = ReturnType<typeof createMarks>;

/**
 * To find a page by its offset costs as much as reading all rows on the way to it. So a page far from the beginning
 * leaves a mark when it was found, and the next page is found from the nearest mark, or from the nearer end of the
 * list.
 */
export function createMarks(rows: number) {
  const apart = Math.max(APART, rows / MOST);
  const marks: Mark[] = [];

  return {
    rows,

    /** The shortest way to the `length` rows that begin at `offset`. */
    seek(offset: number, length: number): Seek {
      const end = Math.min(offset + length, rows);
      const below = marks.findLast(({ before }) => before <= offset) ?? { before: 0, place: null };
      const above = marks.find(({ before }) => before >= end) ?? { before: rows, place: null };
      return above.before - end < offset - below.before
        ? { place: above.place, backwards: true, offset: above.before - end, limit: end - offset }
        : { place: below.place, backwards: false, offset: offset - below.before, limit: length };
    },

    /** Remembers a place, with the number of rows before it. */
    leave(before: number, place: Place): void {
      const following = marks.findIndex((mark) => mark.before > before);
      const at = following === -1 ? marks.length : following;
      const isNear = (mark: Mark | undefined): boolean => mark !== undefined && Math.abs(mark.before - before) < apart;
      if (!isNear(marks[at - 1]) && !isNear(marks[at])) marks.splice(at, 0, { before, place });
    },
  };
}
