import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { EstadoDaEntrega, EstadoGuardado } from '../webhooks.types.ts';

export interface EntregaRow {
  id: number;
  mensagem_id: number;
  tipo: string;
  estado: EstadoGuardado;
  tentativas: number;
  proxima_em: string;
  criada_em: string;
  entregue_em: string | null;
  msg_id: string;
}

const DA_ENTREGA = columns<EntregaRow>('webhook_entregas', {
  id: true,
  mensagem_id: true,
  tipo: true,
  estado: true,
  tentativas: true,
  proxima_em: true,
  criada_em: true,
  entregue_em: true,
  msg_id: 'm.msg_id',
});
interface DoCorpoRow {
  corpo: string;
  /** Of the event; null where it was caused by no request, or the event has been deleted. */
  requisicao_id: string | null;
}

const DO_CORPO = columns<DoCorpoRow>('m', {
  corpo: true,
  requisicao_id: 'eventos.requisicao_id',
});

export interface TentativaRow {
  entrega_id: number;
  numero: number;
  em: string;
  status: number | null;
  erro: string | null;
  duracao_ms: number;
}

const DA_TENTATIVA = columns<TentativaRow>('webhook_tentativas', {
  entrega_id: true,
  numero: true,
  em: true,
  status: true,
  erro: true,
  duracao_ms: true,
});
const DA_RESPOSTA = columns<{ resposta: string | null }>('webhook_tentativas', { resposta: true });

interface DoEstadoRow {
  webhook_id: number;
  estado: EstadoGuardado;
  total: number;
  /** The smallest id, which is that of what happened first. */
  primeira: number;
}

const POR_ESTADO = columns<DoEstadoRow>('webhook_entregas', {
  webhook_id: true,
  estado: true,
  total: 'COUNT(*)',
  primeira: 'MIN(webhook_entregas.id)',
});
const QUANDO = columns<{ webhook_id: number; criada_em: string }>('webhook_entregas', {
  webhook_id: true,
  criada_em: true,
});
const ESTADOS: readonly EstadoGuardado[] = ['pendente', 'em_andamento', 'entregue', 'esgotada', 'cancelada'];
const DURACAO = columns<{ duracao_ms: number }>('t', { duracao_ms: true });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });

/** Which deliveries of a webhook are looked for. */
export interface FiltroDeEntregas {
  readonly situacao?: EstadoDaEntrega | undefined;
  readonly tipo?: string | undefined;
  readonly de?: Date | undefined;
  readonly ate?: Date | undefined;
  /** Only those before this one, which is older. */
  readonly antesDe?: number | undefined;
}

/** The latest attempts of which the median is taken. */
const ULTIMAS = 1000;

export function createRegistroQueries(tenant: TenantDb) {
  const comMensagem = (): Knex.QueryBuilder =>
    tenant
      .from('webhook_entregas')
      .join('webhook_mensagens as m', sameTenant('webhook_entregas', 'mensagem_id', 'm', 'id'));

  function filtrar(query: Knex.QueryBuilder, { situacao, tipo, de, ate }: FiltroDeEntregas): void {
    if (situacao === 'pendente') void query.whereIn('webhook_entregas.estado', ['pendente', 'em_andamento']);
    else if (situacao !== undefined) void query.where('webhook_entregas.estado', situacao);
    if (tipo !== undefined) void query.where('webhook_entregas.tipo', tipo);
    if (de !== undefined) void query.where('webhook_entregas.criada_em', '>=', toDatabaseTime(de));
    if (ate !== undefined) void query.where('webhook_entregas.criada_em', '<=', toDatabaseTime(ate));
  }

  return {
    /** Newest first. */
    async listar(webhookId: number, filtro: FiltroDeEntregas, limite: number): Promise<EntregaRow[]> {
      const query = comMensagem()
        .where('webhook_entregas.webhook_id', webhookId)
        .modify(filtrar, filtro)
        .orderBy('webhook_entregas.id', 'desc')
        .limit(limite);
      if (filtro.antesDe !== undefined) query.where('webhook_entregas.id', '<', filtro.antesDe);
      return rowsOf(query, DA_ENTREGA);
    },

    async contar(webhookId: number, filtro: FiltroDeEntregas): Promise<number> {
      const query = tenant.from('webhook_entregas').where({ webhook_id: webhookId }).modify(filtrar, filtro);
      const [row] = await rowsOf(query, TOTAL);
      return row?.total ?? 0;
    },

    async buscar(webhookId: number, id: number): Promise<(EntregaRow & DoCorpoRow) | undefined> {
      const uma = comMensagem()
        .leftJoin('eventos', sameTenant('m', 'evento_id', 'eventos', 'id'))
        .where('webhook_entregas.webhook_id', webhookId)
        .where('webhook_entregas.id', id);
      const [row] = await rowsOf(uma, DA_ENTREGA, DO_CORPO);
      return row;
    },

    /** Attempts of some deliveries, the first one first. */
    async tentativas(entregaIds: readonly number[]): Promise<TentativaRow[]> {
      if (entregaIds.length === 0) return [];
      const delas = tenant.from('webhook_tentativas').whereIn('entrega_id', [...entregaIds]);
      return rowsOf(delas.orderBy(['entrega_id', 'numero', 'id']), DA_TENTATIVA);
    },

    /** Those of one, with what was answered. */
    async comRespostas(entregaId: number): Promise<(TentativaRow & { resposta: string | null })[]> {
      const delas = tenant.from('webhook_tentativas').where({ entrega_id: entregaId }).orderBy(['numero', 'id']);
      return rowsOf(delas, DA_TENTATIVA, DA_RESPOSTA);
    },

    /** How many deliveries of each webhook are in each state; there are those of 30 days. */
    async porEstado(webhookId?: number): Promise<DoEstadoRow[]> {
      // By the one index that holds both, so that no delivery itself is read.
      const query = tenant
        .from('webhook_entregas', 'webhook_entregas_fila')
        .whereIn('estado', ESTADOS)
        .groupBy('webhook_id', 'estado');
      if (webhookId !== undefined) query.where({ webhook_id: webhookId });
      return rowsOf(query, POR_ESTADO);
    },

    /** When some deliveries came to be, and to which webhook they go. */
    async quando(ids: readonly number[]): Promise<{ webhook_id: number; criada_em: string }[]> {
      return ids.length === 0 ? [] : rowsOf(tenant.from('webhook_entregas').whereIn('id', [...ids]), QUANDO);
    },

    /** How long the latest attempts that delivered something took, in no order. */
    async duracoes(webhookId: number): Promise<number[]> {
      const entregues = tenant
        .from('webhook_entregas')
        .where({ webhook_id: webhookId, estado: 'entregue' })
        .orderBy('id', 'desc')
        .limit(ULTIMAS)
        .select('provedor_id', 'id');
      const delas = tenant.db
        .from(entregues.as('e'))
        .join('webhook_tentativas as t', sameTenant('e', 'id', 't', 'entrega_id'))
        .whereNull('t.erro');
      return (await rowsOf(delas, DURACAO)).map(({ duracao_ms }) => duracao_ms);
    },
  };
}
