/** What a caller is answered besides what his permission for a route decides. */
export interface Rights {
  /**
   * Equal only for callers who are answered alike at every address. It stands in the name of every kept answer, so that nobody reads what
   * was kept for another's rights.
   */
  readonly name: string;
  /** What he is kept from; null: from nothing. */
  readonly restricted: Restricted | null;
}

/** A caller who is to look after one person at a time, and not to learn who they all are. */
export interface Restricted {
  /** He sees of personal data only what tells people apart. */
  readonly masked: boolean;
  /** He reads no list that nothing narrows to a person. */
  readonly searchOnly: boolean;
  /** In an hour: searches that find nobody, and different people found. */
  readonly mostMisses: number;
  readonly mostPeople: number;
}
