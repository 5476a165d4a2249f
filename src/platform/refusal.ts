/** Thrown to end a write with a refusal. The write is rolled back, and its caller is told why. */
export class Refusal extends Error {}

/** A row whose unique key exists already. The message names only the table, because the server's own has the values. */
export class DuplicateRow extends Refusal {
  readonly table: string;
  /** Whether the writer had looked for the row before, so that it finds the row when the write runs again. */
  readonly soughtBefore: boolean;

  constructor(table: string, soughtBefore: boolean) {
    super(`${table}: row exists`);
    this.table = table;
    this.soughtBefore = soughtBefore;
  }
}

/** The tenant is on its way to another cell, or has gone there: nothing of it is written here. */
export class TenantMoving extends Refusal {}

const ER_DUP_ENTRY = 1062;

export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && error.errno === ER_DUP_ENTRY;
}
