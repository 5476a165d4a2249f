/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (high + (sorted[middle - 1] ?? Number.NaN)) / 2 : high;
}

/** The median of the rounds' own ratios: what slows a whole round down slows both sides of its ratio. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return round(median(ours.map((value, i) => value / (theirs[i] ?? Number.NaN))));
}

/** To three decimal places. */
export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The value that this share of them does not pass. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
