import { TenantMoving } from '../refusal.ts';
import { ID, columns, rowsOf } from './columns.ts';
import type { Db } from './database.ts';

const MOVING = columns<{ mudanca: string | null }>('provedores', { mudanca: true });

/**
 * Whether a tenant lives here: it is neither on its way to another cell or from one, nor gone there. It is held here until the transaction ends,
 * as foreign keys do anyway: whoever says that it moves waits for that.
 */
export async function isHere(trx: Db, provedorId: number): Promise<boolean> {
  const [row] = await rowsOf(trx('provedores').where({ id: provedorId }).forShare(), MOVING);
  return row === undefined || row.mudanca === null;
}

/**
 * Refuses what is begun for a tenant that is not here, and holds nobody up who changes the tenant meanwhile: what is begun all the same is
 * refused before it is committed. @throws TenantMoving
 */
export async function requireHereSoFar(trx: Db, provedorId: number): Promise<void> {
  const [row] = await rowsOf(trx('provedores').where({ id: provedorId }), MOVING);
  if (row !== undefined && row.mudanca !== null) throw new TenantMoving(`tenant ${provedorId} moves`);
}

/** Holds the tenant here until the write is committed, so that none that comes after its move began is. @throws TenantMoving */
export async function requireHere(trx: Db, provedorId: number): Promise<void> {
  if (!(await isHere(trx, provedorId))) throw new TenantMoving(`tenant ${provedorId} moves`);
}

/** Of targets that have something to be done, those of tenants that live here: for the others nobody acts, here or in the other cell. */
export async function onlyHere<Target>(
  db: Db,
  targets: readonly Target[],
  tenantOf: (target: Target) => number,
): Promise<Target[]> {
  if (targets.length === 0) return [];
  const ids = [...new Set(targets.map(tenantOf))];
  const moving = await rowsOf(db('provedores').whereIn('id', ids).whereNotNull('mudanca'), ID);
  const elsewhere = new Set(moving.map(({ id }) => id));
  return targets.filter((target) => !elsewhere.has(tenantOf(target)));
}
