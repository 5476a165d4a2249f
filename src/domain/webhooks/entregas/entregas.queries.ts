import type { Knex } from 'knex';
import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import type { SegredosRow } from '../segredos.ts';
import type { SituacaoDoWebhook } from '../webhooks.types.ts';
import { TENTATIVAS } from './horario.regras.ts';
import type { Resultado } from './tentativa.ts';

/** A webhook of a provider. */
export interface Alvo {
  readonly provedorId: number;
  readonly webhookId: number;
}

export interface AlvoRow extends SegredosRow {
  id: number;
  url: string;
  situacao: SituacaoDoWebhook;
  removido_em: string | null;
  falhas_seguidas: number;
  falhando_desde: string | null;
  avisado_em: string | null;
}

const DO_ALVO = columns<AlvoRow>('webhooks', {
  id: true,
  url: true,
  situacao: true,
  removido_em: true,
  falhas_seguidas: true,
  falhando_desde: true,
  avisado_em: true,
  segredo: true,
  segredo_anterior: true,
  anterior_ate: true,
});

export interface DevidaRow {
  id: number;
  tentativas: number;
  vez: number;
}

const ENTREGAS = 'webhook_entregas';
const DEVIDA = columns<DevidaRow>('webhook_entregas', { id: true, tentativas: true, vez: true });

export interface AFazerRow extends DevidaRow {
  msg_id: string;
  corpo: string;
}

const A_FAZER = columns<AFazerRow>('webhook_entregas', {
  id: true,
  tentativas: true,
  vez: true,
  msg_id: 'm.msg_id',
  corpo: 'm.corpo',
});

const DE_QUEM = expressions<{ provedor_id: number; webhook_id: number }>({
  provedor_id: 'd.provedor_id',
  webhook_id: 'd.webhook_id',
});
const DA_VEZ = columns<{ id: number; proxima_em: string }>('webhook_entregas', { id: true, proxima_em: true });

/** Of which state, of whom, when, in which order. */
const FILA = 'webhook_entregas_fila';

/** The first of each state, of each webhook. */
const PRIMEIRAS = `SELECT estado, provedor_id, webhook_id, MIN(proxima_em) AS desde FROM webhook_entregas FORCE INDEX (${FILA})
  WHERE estado IN ('pendente', 'em_andamento') GROUP BY estado, provedor_id, webhook_id`;

/**
 * Webhooks that something is to be delivered to now, of all providers, by name and on purpose. The index gives the first delivery of each
 * in one step, however many wait; it does not where a state is named alone.
 */
export async function comDevidas(db: Db, agora: Date): Promise<Alvo[]> {
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT DISTINCT ${colunas} FROM (${PRIMEIRAS}) d
         JOIN webhooks w ON w.provedor_id = d.provedor_id AND w.id = d.webhook_id
        WHERE d.desde <= ? AND w.situacao = 'ativo' AND w.removido_em IS NULL`,
    [toDatabaseTime(agora)],
  );
  const alvos = rows.map(({ provedor_id: provedorId, webhook_id: webhookId }) => ({ provedorId, webhookId }));
  return onlyHere(db, alvos, ({ provedorId }) => provedorId);
}

/** Of `webhook_entregas`, those whose message is an event's: that of a test is nobody's, and neither repeated nor counted. */
export const deUmEvento = (w: Pick<TenantWriter, 'from'>): Knex.QueryBuilder =>
  w
    .from('webhook_mensagens as me')
    .whereRaw('me.id = webhook_entregas.mensagem_id')
    .whereNotNull('me.evento_id')
    .select('me.id');

/** An attempt that was made, and what becomes of its delivery. */
export interface Feita extends DevidaRow {
  readonly resultado: Resultado;
  /** Null: no other attempt of this schedule. */
  readonly proximaEm: Date | null;
}

export function createEntregasQueries(w: TenantWriter, db: Db, webhookId: number) {
  const fila = (estado: string) => w.from(ENTREGAS).where({ estado, webhook_id: webhookId });
  const comMensagem = () =>
    w.from(ENTREGAS).join('webhook_mensagens as m', sameTenant(ENTREGAS, 'mensagem_id', 'm', 'id'));

  return {
    /** The webhook, which until the transaction ends nobody else delivers to or changes. */
    async travar(): Promise<AlvoRow | undefined> {
      const [row] = await rowsOf(w.from('webhooks').where('webhooks.id', webhookId).forUpdate(), DO_ALVO);
      return row;
    },

    /** Attempts under way, here and in other processes, and those whose process died meanwhile; the latter in the order in which they are due. */
    async emAndamento(agora: Date): Promise<{ readonly sao: number; readonly abandonadas: readonly AFazerRow[] }> {
      const rows = await rowsOf(fila('em_andamento').orderBy(['proxima_em', 'id']), DA_VEZ);
      const ids = rows.filter(({ proxima_em }) => proxima_em <= toDatabaseTime(agora)).map(({ id }) => id);
      const abandonadas = ids.length === 0 ? [] : await rowsOf(comMensagem().whereIn(`${ENTREGAS}.id`, ids), A_FAZER);
      return { sao: rows.length - ids.length, abandonadas };
    },

    /** Those whose time has come. */
    async devidas(agora: Date, limite: number): Promise<AFazerRow[]> {
      if (limite <= 0) return [];
      const delas = comMensagem()
        .where({ [`${ENTREGAS}.estado`]: 'pendente', [`${ENTREGAS}.webhook_id`]: webhookId })
        .where(`${ENTREGAS}.proxima_em`, '<=', toDatabaseTime(agora));
      return rowsOf(delas.orderBy([`${ENTREGAS}.proxima_em`, `${ENTREGAS}.id`]).limit(limite), A_FAZER);
    },

    /** Counts an attempt of each before it is made; `ate` is when whoever makes it must have said what came of it. */
    async contar(ids: readonly number[], ate: Date): Promise<void> {
      await w.update(ENTREGAS, (q) => void q.whereIn('id', [...ids]), {
        estado: 'em_andamento',
        tentativas: db.raw('tentativas + 1'),
        vez: db.raw('vez + 1'),
        proxima_em: toDatabaseTime(ate),
      });
    },

    /** Ends those that had their last attempt in a process that died. */
    async esgotar(ids: readonly number[]): Promise<void> {
      if (ids.length === 0) return;
      await w.update('webhook_entregas', (q) => void q.whereIn('id', [...ids]), { estado: 'esgotada' });
    },

    async anotar(feitas: readonly Feita[]): Promise<void> {
      if (feitas.length === 0) return;
      await w.insert(
        'webhook_tentativas',
        feitas.map(({ id, tentativas, resultado }) => ({
          entrega_id: id,
          numero: tentativas,
          em: toDatabaseTime(resultado.em),
          status: resultado.status,
          erro: resultado.erro,
          duracao_ms: resultado.duracaoMs,
          resposta: resultado.resposta,
        })),
      );
      const entregues = feitas.filter(({ resultado }) => resultado.erro === null);
      if (entregues.length > 0) {
        const [{ resultado }] = entregues as [Feita];
        // Whatever became of it meanwhile: it has arrived.
        await w.update(
          'webhook_entregas',
          (q) =>
            void q.whereIn(
              'id',
              entregues.map(({ id }) => id),
            ),
          { estado: 'entregue', entregue_em: toDatabaseTime(resultado.em) },
        );
      }
      for (const { id, resultado, proximaEm } of feitas) {
        if (resultado.erro === null) continue;
        await w.update('webhook_entregas', (q) => void q.where({ id, estado: 'em_andamento' }), {
          // One that had arrived before, and was sent again by hand, has still arrived.
          estado: proximaEm === null ? db.raw("IF(entregue_em IS NULL, 'esgotada', 'entregue')") : 'pendente',
          ...(proximaEm === null ? {} : { proxima_em: toDatabaseTime(proximaEm) }),
        });
      }
    },

    async anotarNoWebhook(mudancas: object): Promise<void> {
      await w.update('webhooks', (q) => void q.where('id', webhookId), mudancas);
    },

    /**
     * Deliveries of events that failed and did not arrive, since a moment; at most so many are counted. Of one that is over, `proxima_em` is still
     * that of its last attempt.
     */
    async falhasDesde(desde: string, ate: number): Promise<number> {
      const falhas = w
        .from('webhook_entregas')
        .where('webhook_id', webhookId)
        .whereIn('estado', ['pendente', 'em_andamento', 'esgotada'])
        .where('tentativas', '>', 0)
        .where('proxima_em', '>=', desde)
        .whereNull('entregue_em')
        .whereExists(deUmEvento(w))
        .limit(ate);
      return (await rowsOf(falhas, DEVIDA)).length;
    },
  };
}

/** Whether a schedule is over. */
export const acabou = ({ vez }: Pick<DevidaRow, 'vez'>): boolean => vez >= TENTATIVAS;
