import { ID, columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ConsumedEvent } from '../../../platform/mysql/outbox-consumer.ts';
import type { Write } from '../../escrita.ts';
import { deUmEvento } from '../entregas/entregas.queries.ts';
import { TENTATIVAS } from '../entregas/horario.regras.ts';
import type { EstadoGuardado } from '../webhooks.types.ts';

interface EventoRow {
  id: number;
  tipo: string;
  recurso_id: number | null;
  dados: unknown;
  criado_em: string;
}

const EVENTO = columns<EventoRow>('eventos', { id: true, tipo: true, recurso_id: true, dados: true, criado_em: true });
const QUANDO = columns<{ id: number; criado_em: string }>('eventos', { id: true, criado_em: true });
const DO_ESTADO = columns<{ id: number; estado: EstadoGuardado }>('webhook_entregas', { id: true, estado: true });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

/** How much an event may be older than one of a smaller id: longer than any transaction, and than clocks of processes differ. */
const FOLGA_MS = 3_600_000;
/** So few ids are read through. */
const PERTO = 1000;

/** A moment or more, both ends included. */
export interface Periodo {
  readonly de: Date;
  readonly ate: Date;
}

export function createReenvioQueries(w: Write, webhookId: number) {
  return {
    async travar(id: number): Promise<EstadoGuardado | null> {
      const uma = w.from('webhook_entregas').where({ id, webhook_id: webhookId }).forUpdate();
      const [row] = await rowsOf(uma, DO_ESTADO);
      return row?.estado ?? null;
    },

    /** One attempt now; of one that waits for its next, that one, and of any other none after it. */
    async tentarJa(id: number, estado: EstadoGuardado, agora: Date): Promise<void> {
      await w.update('webhook_entregas', (q) => void q.where({ id }), {
        estado: 'pendente',
        proxima_em: toDatabaseTime(agora),
        ...(estado === 'pendente' ? {} : { vez: TENTATIVAS - 1 }),
      });
    },

    /** Begins anew, with all attempts, with those that were not delivered, tests aside; resolves to how many, at most `limite`. */
    async recomecar({ de, ate }: Periodo, agora: Date, limite: number): Promise<number> {
      const falhadas = w
        .from('webhook_entregas')
        .where({ webhook_id: webhookId })
        .whereIn('estado', ['esgotada', 'cancelada'])
        .whereExists(deUmEvento(w))
        .whereBetween('criada_em', [toDatabaseTime(de), toDatabaseTime(ate)])
        .orderBy('id')
        .limit(limite)
        .forUpdate();
      const ids = (await rowsOf(falhadas, ID)).map(({ id }) => id);
      if (ids.length === 0) return 0;
      return w.update('webhook_entregas', (q) => void q.whereIn('id', ids), {
        estado: 'pendente',
        vez: 0,
        proxima_em: toDatabaseTime(agora),
      });
    },

    /**
     * An id up to which all events of the provider are older than a moment. No index has their time: ids follow it, within `FOLGA_MS`, so that
     * halving their range finds the place in some twenty steps, however many events there are.
     */
    async antesDe(em: Date): Promise<number> {
      const limite = toDatabaseTime(new Date(em.getTime() - FOLGA_MS));
      const evento = async (depoisDe: number, ordem: 'asc' | 'desc') => {
        const [row] = await rowsOf(w.from('eventos').where('id', '>', depoisDe).orderBy('id', ordem).limit(1), QUANDO);
        return row;
      };
      let antes = 0;
      let depois = (await evento(0, 'desc'))?.id ?? 0;
      while (depois - antes > PERTO) {
        const meio = Math.floor((antes + depois) / 2);
        const proximo = await evento(meio, 'asc');
        if (proximo === undefined || proximo.criado_em >= limite) depois = meio;
        else antes = Math.min(proximo.id, depois);
      }
      return antes;
    },

    /**
     * Events of a time, of some kinds, that never became a delivery to this webhook; oldest first. Those that still wait for a consumer
     * become one by it, in their order.
     */
    async semEntrega(
      { de, ate }: Periodo,
      tipos: readonly string[],
      esperaPor: string,
      depoisDe: number,
      limite: number,
    ): Promise<ConsumedEvent[]> {
      const jaEntregues = w
        .from('webhook_mensagens as m')
        .joinRaw(
          'JOIN webhook_entregas e ON e.provedor_id = m.provedor_id AND e.mensagem_id = m.id AND e.webhook_id = ?',
          [webhookId],
        )
        .whereRaw('m.evento_id = eventos.id')
        .select('m.id');
      const aindaEsperam = w
        .from('eventos_pendentes as p')
        .where('p.consumidor', esperaPor)
        .whereRaw('p.evento_id = eventos.id')
        .select('p.evento_id');
      const rows = await rowsOf(
        w
          .from('eventos')
          .where('eventos.id', '>', depoisDe)
          .whereBetween('eventos.criado_em', [toDatabaseTime(de), toDatabaseTime(ate)])
          .whereIn('eventos.tipo', [...tipos])
          .whereNotExists(jaEntregues)
          .whereNotExists(aindaEsperam)
          .orderBy('eventos.id')
          .limit(limite),
        EVENTO,
      );
      return rows.map(({ id, tipo, recurso_id, dados, criado_em }) => ({
        id,
        tipo,
        recursoId: recurso_id,
        dados: dados === null ? null : jsonColumn(dados),
        criadoEm: criado_em,
      }));
    },

    /** Tests of the webhook since a moment. */
    async testesDesde(desde: Date): Promise<number> {
      const testes = w
        .from('webhook_entregas')
        .join('webhook_mensagens as m', (on) =>
          on.on('m.provedor_id', 'webhook_entregas.provedor_id').andOn('m.id', 'webhook_entregas.mensagem_id'),
        )
        .where('webhook_entregas.webhook_id', webhookId)
        .whereNull('m.evento_id')
        .where('webhook_entregas.criada_em', '>', toDatabaseTime(desde));
      const [row] = await rowsOf(testes, TOTAL);
      return row?.total ?? 0;
    },
  };
}
