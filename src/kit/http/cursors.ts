import type { Trail } from '../../platform/cache/trail.ts';
import type { Place } from '../../platform/paging/page-marks.ts';
import type { Answer, Result } from '../reply/envelope.ts';
import type { ReadRoute, SurfaceTypes } from './route.ts';

/** How a surface names places in lists for its callers. */
export interface Cursors<T extends SurfaceTypes> {
  /**
   * Reads the text of a cursor, and until when it is good.
   *
   * @param scope of which list the cursor has to be, by its filters.
   * @throws Failure when it is of another list, is no longer good, or was not made here.
   */
  readonly open: (
    session: T['session'],
    scope: string,
    text: string,
  ) => { readonly place: Place; readonly until: Date };
  /** Makes the text of a cursor. An answer with it is to be made anew at `renewAt`, so that no old cursor is given out. */
  readonly seal: (
    session: T['session'],
    scope: string,
    place: Place,
  ) => { readonly text: string; readonly renewAt: Date };
}

/** Where a request goes on in a list, and how its answer names the place at which the next one may. */
interface OpenCursor {
  /** Null at the beginning, and of routes without cursors. */
  readonly after: Place | null;
  readonly answer: (result: Result<unknown>, trail: Trail) => Answer;
}

/** Opens the cursor of a request, whose input was checked. @throws Failure when the cursor is not good */
export function openCursor<T extends SurfaceTypes>(
  route: ReadRoute<T>,
  session: T['session'],
  params: unknown,
  query: unknown,
  cursors: Cursors<T> | undefined,
): OpenCursor {
  if (!route.cursor)
    return { after: null, answer: ({ data, page }) => (page === undefined ? { data } : { data, page }) };
  if (cursors === undefined) throw new Error(`${route.path}: its surface has no cursors`);
  const { cursor, limit: _limit, ...filters } = { ...(query as Readonly<Record<string, unknown>>) };
  const ordered = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const scope = JSON.stringify([route.path, params, ordered]);
  const opened = typeof cursor === 'string' ? cursors.open(session, scope, cursor) : null;
  return {
    after: opened?.place ?? null,
    answer({ data, slice }, trail) {
      if (slice === undefined) throw new Error(`${route.path}: answers without saying where its part of the list ends`);
      if (opened !== null) trail.changesAt(opened.until);
      if (slice.next === null) return { data, slice: { ...slice, next: null } };
      const { text, renewAt } = cursors.seal(session, scope, slice.next);
      trail.changesAt(renewAt);
      return { data, slice: { ...slice, next: text } };
    },
  };
}
