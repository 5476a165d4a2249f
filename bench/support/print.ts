/** The one way to stdout, where a bench says what it measured; how far it is goes to stderr. */
export function print(line: string): void {
  console.log(line);
}

/** How far a bench is, for who waits; stdout has the figures alone. */
export function tell(line: string): void {
  console.error(line);
}
