import type { Db } from '../../platform/mysql/database.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { WAITING_INDEX, settle, waitingOf } from '../../platform/mysql/outbox.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import { APAGADOS_QUANDO_PUBLICADOS } from './eventos.types.ts';

export type PublicacaoService = ReturnType<typeof createPublicacaoService>;

export interface PublicacaoDeps {
  readonly db: Db;
  readonly gate: Pick<Gate, 'bump'>;
  /** Told of a provider whose events could not be published, while others' could. */
  readonly aoFalhar?: (provedorId: number, error: unknown) => void;
}

const DE_QUEM = columns<{ provedor_id: number }>('eventos', { provedor_id: true });

/** Providers of a turn, and how many of them are published at a time. */
const PROVEDORES_POR_VEZ = 16;
const AO_MESMO_TEMPO = 2;

/** Events of one provider in a turn: some 100 ms, which the other providers wait at most. */
const EVENTOS_POR_VEZ = 2000;

/**
 * Publishes the outbox: bumps again what every committed write touched, so that a process which died between its commit and its
 * bump leaves nothing stale behind. Crosses tenants, by name and on purpose; each is published in a transaction of its own.
 */
export function createPublicacaoService({ db, gate, aoFalhar }: PublicacaoDeps) {
  /** Whose turn was last. */
  let ultimo = 0;
  /** Where a provider goes on that had more than a turn takes: what was deleted stays in the index for a while, and is slow to pass. */
  const adiante = new Map<number, number>();

  /** The first provider after another, by id, of which events wait; null when none is left. */
  async function proximoDepoisDe(provedorId: number): Promise<number | null> {
    const atrasado = Math.min(...[...adiante.keys()].filter((id) => id > provedorId));
    const esperam = db(db.raw('eventos FORCE INDEX (??)', [WAITING_INDEX]))
      .whereNull('publicado_em')
      .where('provedor_id', '>', provedorId)
      .modify((query) => void (atrasado < Infinity && query.where('provedor_id', '<', atrasado)))
      .orderBy('provedor_id')
      .limit(1);
    const [row] = await rowsOf(esperam, DE_QUEM);
    return row?.provedor_id ?? (atrasado < Infinity ? atrasado : null);
  }

  /** The providers whose turn it is, in the order of their ids and over again. */
  async function daVez(): Promise<number[]> {
    const vez: number[] = [];
    while (vez.length < PROVEDORES_POR_VEZ) {
      const desde = ultimo;
      const proximo = await proximoDepoisDe(desde);
      ultimo = proximo ?? 0;
      if (proximo !== null) vez.push(proximo);
      else if (desde === 0 || vez.length > 0) break;
    }
    return vez;
  }

  async function publicarDe(provedorId: number, limit: number): Promise<number> {
    const after = adiante.get(provedorId) ?? 0;
    const { publicados, goesOnAfter } = await db.transaction(
      async (trx) => {
        const tenant = createTenantDb(trx, provedorId);
        const { events, tags, ...rest } = await waitingOf(tenant, { limit, after, lock: true });
        // Bumped before they are known to be published: once too often does no harm.
        if (events.length > 0) await gate.bump(tenantSlot(provedorId), tags);
        for (const [apagar, deles] of groupBy(events, ({ tipo }) => APAGADOS_QUANDO_PUBLICADOS.has(tipo))) {
          await settle(tenant, deles, apagar ? 'delete' : 'keep');
        }
        return { publicados: events.length, ...rest };
      },
      { isolationLevel: 'read committed' },
    );
    if (goesOnAfter === null) adiante.delete(provedorId);
    else adiante.set(provedorId, goesOnAfter);
    return publicados;
  }

  return {
    /**
     * Publishes up to `limite` events of each of the next providers that have some, oldest first; several at once take different ones.
     * Resolves to how many; 0 when nothing is left. Rejects when there are some and none could be published, as when Redis is away.
     */
    async publicar(limite = EVENTOS_POR_VEZ): Promise<number> {
      const vez = await daVez();
      let publicados = 0;
      const falhas: { provedorId: number; error: unknown }[] = [];
      const fila = vez.values();
      const levar = async (): Promise<void> => {
        for (const provedorId of fila) {
          try {
            const doProvedor = await publicarDe(provedorId, limite);
            publicados += doProvedor;
          } catch (error) {
            falhas.push({ provedorId, error });
          }
        }
      };
      await Promise.all(Array.from({ length: AO_MESMO_TEMPO }, levar));
      const [primeira] = falhas;
      if (publicados === 0 && primeira !== undefined) throw primeira.error;
      for (const { provedorId, error } of falhas) aoFalhar?.(provedorId, error);
      return publicados;
    },
  };
}
