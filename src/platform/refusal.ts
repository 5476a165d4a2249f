/** Ends a write with an answer that says what stands, and undoes the rest. */
export class Refusal extends Error {}

/**
 * A row that a unique key has already. The message names the table alone: the server's own holds the values.
 */
export class DuplicateRow extends Refusal {
  readonly table: string;
  /** Whether who wrote it looked for the row before, and will find it when he looks again. */
  readonly soughtBefore: boolean;

  constructor(table: string, soughtBefore: boolean) {
    super(`${table}: row exists`);
    this.table = table;
    this.soughtBefore = soughtBefore;
  }
}

const ER_DUP_ENTRY = 1062;

export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === ER_DUP_ENTRY;
}
