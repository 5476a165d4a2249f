import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
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
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

/** Of which state, of whom, when, in which order. */
const FILA = 'webhook_entregas_fila';

/**
 * Webhooks that something is to be delivered to now, of all providers, by name and on purpose. The index gives the first delivery of each
 * in one step, however many wait.
 */
export async function comDevidas(db: Db, agora: Date): Promise<Alvo[]> {
  const primeiras = (estado: string): string =>
    `SELECT provedor_id, webhook_id, MIN(proxima_em) AS desde FROM webhook_entregas FORCE INDEX (${FILA})
      WHERE estado = '${estado}' GROUP BY provedor_id, webhook_id`;
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT DISTINCT ${colunas} FROM (${primeiras('pendente')} UNION ALL ${primeiras('em_andamento')}) d
         JOIN webhooks w ON w.provedor_id = d.provedor_id AND w.id = d.webhook_id
        WHERE d.desde <= ? AND w.situacao = 'ativo' AND w.removido_em IS NULL`,
    [toDatabaseTime(agora)],
  );
  return rows.map(({ provedor_id: provedorId, webhook_id: webhookId }) => ({ provedorId, webhookId }));
}

/** An attempt that was made, and what becomes of its delivery. */
export interface Feita extends DevidaRow {
  readonly resultado: Resultado;
  /** Null: no other attempt of this schedule. */
  readonly proximaEm: Date | null;
}

export function createEntregasQueries(w: TenantWriter, db: Db, webhookId: number) {
  const fila = (estado: string) => w.from('webhook_entregas').where({ estado, webhook_id: webhookId });

  return {
    /** The webhook, which until the transaction ends nobody else delivers to or changes. */
    async travar(): Promise<AlvoRow | undefined> {
      const [row] = await rowsOf(w.from('webhooks').where('webhooks.id', webhookId).forUpdate(), DO_ALVO);
      return row;
    },

    /** Attempts under way, here and in other processes. */
    async emAndamento(agora: Date): Promise<number> {
      const [row] = await rowsOf(fila('em_andamento').where('proxima_em', '>', toDatabaseTime(agora)), TOTAL);
      return row?.total ?? 0;
    },

    /** Those whose time has come; first the ones whose process died while it attempted them. */
    async devidas(agora: Date, limite: number): Promise<DevidaRow[]> {
      const achadas: DevidaRow[] = [];
      for (const estado of ['em_andamento', 'pendente']) {
        if (achadas.length >= limite) break;
        const delas = fila(estado).where('proxima_em', '<=', toDatabaseTime(agora));
        achadas.push(...(await rowsOf(delas.orderBy(['proxima_em', 'id']).limit(limite - achadas.length), DEVIDA)));
      }
      return achadas;
    },

    /** Counts an attempt of each before it is made; `ate` is when whoever makes it must have said what came of it. */
    async contar(ids: readonly number[], ate: Date): Promise<AFazerRow[]> {
      await w.update('webhook_entregas', (q) => void q.whereIn('id', [...ids]), {
        estado: 'em_andamento',
        tentativas: db.raw('tentativas + 1'),
        vez: db.raw('vez + 1'),
        proxima_em: toDatabaseTime(ate),
      });
      const contadas = w
        .from('webhook_entregas')
        .join('webhook_mensagens as m', sameTenant('webhook_entregas', 'mensagem_id', 'm', 'id'))
        .whereIn('webhook_entregas.id', [...ids])
        .orderBy(['webhook_entregas.proxima_em', 'webhook_entregas.id']);
      return rowsOf(contadas, A_FAZER);
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
     * Deliveries that failed and did not arrive, since a moment; at most so many are counted. Of one that is over, `proxima_em` is still
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
        .limit(ate);
      return (await rowsOf(falhas, DEVIDA)).length;
    },
  };
}

/** Whether a schedule is over. */
export const acabou = ({ vez }: Pick<DevidaRow, 'vez'>): boolean => vez >= TENTATIVAS;
