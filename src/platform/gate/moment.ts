/** A moment of a slot: its era, and how many bumps it had seen. */
export interface Moment {
  /**
   * The era as this process sees it. Each doubt about Redis begins another one: a Redis that comes back with older data
   * would repeat numbers of bumps that this process has already seen.
   */
  readonly era: string;
  readonly bumps: number;
}

/** The state of some tags of a slot at one moment, as Redis answered it. */
export interface TagState extends Moment {
  /** For each tag, in the order asked for: the number of the last bump that touched it; 0 when none in this era did. */
  readonly touched: readonly number[];
}

/**
 * Whether no tag of a tag state was bumped since a moment. `from` and `to` limit the comparison to some of the tags.
 */
export function unchanged(since: Moment, { era, touched }: TagState, from = 0, to = touched.length): boolean {
  if (era !== since.era) return false;
  for (let i = from; i < to; i += 1) if ((touched[i] ?? Infinity) > since.bumps) return false;
  return true;
}
