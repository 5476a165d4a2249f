import type { Db } from '../../platform/mysql/database.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { WAITING_INDEX, settle, waitingOf } from '../../platform/mysql/outbox.ts';
import { READ_TIMEOUT_MS, createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { LivePublisher } from '../../platform/live/publisher.ts';
import { aoVivo } from './ao-vivo.regras.ts';
import { APAGADOS_QUANDO_PUBLICADOS } from './eventos.types.ts';

export type PublicacaoService = ReturnType<typeof createPublicacaoService>;

export interface PublicacaoDeps {
  readonly db: Db;
  readonly gate: Pick<Gate, 'bump'>;
  readonly relogio: Relogio;
  /** Tells open panels. Absent where there are none to be told, as in tests. */
  readonly painel?: Pick<LivePublisher, 'publish'>;
  /** Told of a provider whose events could not be published, while others' could. */
  readonly aoFalhar?: (provedorId: number, error: unknown) => void;
}

const ULTIMO = columns<{ ultimo: number | null }>('eventos', { ultimo: 'MAX(eventos.id)' });
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
export function createPublicacaoService({ db, gate, relogio, painel, aoFalhar }: PublicacaoDeps) {
  /** Whose turn was last. */
  let ultimo = 0;
  /** Where a provider goes on that had more than a turn takes: what was deleted stays in the index for a while, and is slow to pass. */
  const adiante = new Map<number, number>();
  /** What the last check saw: when it began, and the newest event of that moment. */
  let vistos: { readonly em: number; readonly ultimo: number } | undefined;
  let publicadoAte = -Infinity;

  const queEsperam = () =>
    db(db.raw('eventos FORCE INDEX (??)', [WAITING_INDEX]))
      .whereNull('publicado_em')
      .limit(1);

  /** The first provider after another, by id, of which events wait; null when none is left. */
  async function proximoDepoisDe(provedorId: number): Promise<number | null> {
    const atrasado = Math.min(...[...adiante.keys()].filter((id) => id > provedorId));
    const esperam = queEsperam()
      .where('provedor_id', '>', provedorId)
      .modify((query) => void (atrasado < Infinity && query.where('provedor_id', '<', atrasado)))
      .orderBy('provedor_id');
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
        // After the bump: who asks anew now is not answered by what was kept. What fails here is made up for by the panels themselves,
        // which look anew once Redis is back; the outbox does not wait for that.
        await painel
          ?.publish(provedorId, aoVivo(events, tags))
          .catch((error: unknown) => aoFalhar?.(provedorId, error));
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

    /**
     * Finds out whether all events of the check before have been published, by whichever process; see `publicadoAte`.
     */
    async conferir(): Promise<void> {
      const antes = vistos;
      if (antes !== undefined) {
        const atrasados = queEsperam().where('id', '<=', antes.ultimo).timeout(READ_TIMEOUT_MS);
        if ((await rowsOf(atrasados, DE_QUEM)).length === 0) publicadoAte = antes.em;
      }
      const em = relogio.agora().getTime();
      const [row] = await rowsOf(db('eventos').timeout(READ_TIMEOUT_MS), ULTIMO);
      vistos = { em, ultimo: row?.ultimo ?? 0 };
    },

    /** All that was committed until this instant has been published; milliseconds since the epoch. */
    get publicadoAte() {
      return publicadoAte;
    },
  };
}
