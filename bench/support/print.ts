/**
 * The one way to stdout, where a bench says what it measured. The console rather than the service's logger: who reads it is the person at the
 * terminal, not a collector of logs.
 */
export function print(line: string): void {
  console.log(line);
}

/** How far a bench is, for who waits; stdout has the figures alone. */
export function tell(line: string): void {
  console.error(line);
}
