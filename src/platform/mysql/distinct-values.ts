import { expressions, rowsOf } from './columns.ts';
import type { TenantDb } from './tenant.ts';

/** Which values: of a column, by an index that begins with the tenant, the columns of `where` and this one. */
interface Wanted {
  readonly table: string;
  readonly index: string;
  readonly column: string;
  readonly where?: Readonly<Record<string, string>>;
  /** No more than these. */
  readonly most: number;
}

const LEAST = (column: string) => expressions<{ value: string | null }>({ value: `MIN(${column})` });

/**
 * The texts of a column that are not empty, in their order, each found from the one before: a look into the index for each. Grouped, and in one
 * recursive statement too, servers read every row of the tenant.
 */
export async function distinctValues(tenant: TenantDb, wanted: Wanted): Promise<string[]> {
  const { table, index, column, where = {}, most } = wanted;
  const values: string[] = [];
  while (values.length < most) {
    const next = tenant
      .from(table, index)
      .where(where)
      .where(column, '>', values.at(-1) ?? '');
    const [row] = await rowsOf(next, LEAST(column));
    if (row?.value === null || row?.value === undefined) break;
    values.push(row.value);
  }
  return values;
}
