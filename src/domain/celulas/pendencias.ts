import { setTimeout as sleep } from 'node:timers/promises';
import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { WAITING_INDEX } from '../../platform/mysql/outbox.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';

/** What is sent by attempts that take a while, and the index of its queue. */
const ENVIOS = [
  ['correio_pedidos', 'correio_pedidos_fila'],
  ['push_envios', 'push_envios_fila'],
  ['webhook_entregas', 'webhook_entregas_fila'],
] as const;
/** The longest that a move waits for them: the provider is only read meanwhile. */
const PRAZO_DOS_ENVIOS_MS = 10_000;

/** The most time in which what was committed must be told to the caches of a cell. */
export const PRAZO_DO_AVISO_MS = 60_000;

const QUANTOS = expressions<{ n: number }>({ n: 'COUNT(*)' });

/** Waits until of all attempts under way it is written what came of them; none is begun any more. @returns whether that is so by now. */
export async function terminarEnvios(db: Db, provedorId: number): Promise<boolean> {
  const tenant = createTenantDb(db, provedorId);
  const fim = performance.now() + PRAZO_DOS_ENVIOS_MS;
  for (;;) {
    let n = 0;
    for (const [tabela, indice] of ENVIOS) {
      const aCaminho = tenant.from(tabela, indice).where({ estado: 'em_andamento' });
      const [row] = await rowsOf(aCaminho.where('proxima_em', '>', toDatabaseTime(new Date())), QUANTOS);
      n += row?.n ?? 0;
    }
    if (n === 0) return true;
    if (performance.now() > fim) return false;
    await sleep(50);
  }
}

/** Waits until all that was committed of a provider is told to the processes of a cell. @returns whether that is so by now */
export async function publicado(db: Db, provedorId: number, prazoMs: number): Promise<boolean> {
  const fim = performance.now() + prazoMs;
  while ((await aPublicar(db, provedorId)) > 0) {
    if (performance.now() > fim) return false;
    await sleep(50);
  }
  return true;
}

async function aPublicar(db: Db, provedorId: number): Promise<number> {
  const esperam = db(db.raw('eventos FORCE INDEX (??)', [WAITING_INDEX])).where({ provedor_id: provedorId });
  const [row] = await rowsOf(esperam.whereNull('publicado_em'), QUANTOS);
  return row?.n ?? 0;
}
