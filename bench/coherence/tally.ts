/** What one phase counted. */
export interface Tally {
  reads: number;
  writes: number;
  revocations: number;
  stale: number;
  late_revocations: number;
  /** The same of what was written past the service, from a second after its commit on. */
  writes_past: number;
  revocations_past: number;
  stale_past: number;
  late_revocations_past: number;
  /** Writes that the helper rejected, and revocations that failed closed and were asked for again. */
  refused_writes: number;
  refused_revocations: number;
  errors_5xx: number;
  limited_429: number;
  other_status: number;
  broken: number;
  hung: number;
  slowest_ms: number;
  faults: number;
  seconds: number;
}

export function emptyTally(): Tally {
  return {
    reads: 0,
    writes: 0,
    revocations: 0,
    stale: 0,
    late_revocations: 0,
    writes_past: 0,
    revocations_past: 0,
    stale_past: 0,
    late_revocations_past: 0,
    refused_writes: 0,
    refused_revocations: 0,
    errors_5xx: 0,
    limited_429: 0,
    other_status: 0,
    broken: 0,
    hung: 0,
    slowest_ms: 0,
    faults: 0,
    seconds: 0,
  };
}

/** Prints both phases side by side; resolves to the bench's figures. */
export function report(calm: Tally, faulty: Tally, print: (line: string) => void): Record<string, number> {
  const names = Object.keys(calm) as (keyof Tally)[];
  print(`${'coherence'.padEnd(22)}${'calm'.padStart(12)}${'faults'.padStart(12)}`);
  for (const name of names) {
    print(`${name.padEnd(22)}${String(calm[name]).padStart(12)}${String(faulty[name]).padStart(12)}`);
  }
  const sum = (name: keyof Tally): number => calm[name] + faulty[name];
  return {
    reads: sum('reads'),
    revocations: sum('revocations'),
    stale: sum('stale'),
    late_revocations: sum('late_revocations'),
    stale_past: sum('stale_past'),
    late_revocations_past: sum('late_revocations_past'),
    ...Object.fromEntries(names.map((name) => [`calm_${name}`, calm[name]])),
    ...Object.fromEntries(names.map((name) => [`faults_${name}`, faulty[name]])),
  };
}
