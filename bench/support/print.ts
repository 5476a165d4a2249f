/** The one way to stdout, where a bench says what it measured; how far it is goes to stderr. */
export function print(line: string): void {
  console.log(line);
}
