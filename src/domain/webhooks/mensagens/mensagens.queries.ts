import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';

interface AtivoRow {
  id: number;
  eventos: string | string[];
}

const ATIVO = columns<AtivoRow>('webhooks', { id: true, eventos: true });
const DE_EVENTO = columns<{ id: number; evento_id: number }>('webhook_mensagens', { id: true, evento_id: true });

const DE_QUEM = columns<{ mensagem_id: number; webhook_id: number }>('webhook_entregas', {
  mensagem_id: true,
  webhook_id: true,
});

/** A webhook that gets events, and which. */
export interface Inscrito {
  readonly id: number;
  readonly eventos: readonly string[];
}

/** A message that is to be written, once for each event. */
export interface NovaMensagem {
  readonly evento_id: number;
  readonly msg_id: string;
  readonly tipo: string;
  readonly corpo: string;
  readonly criada_em: string;
}

export interface NovaEntrega {
  readonly webhook_id: number;
  readonly mensagem_id: number;
  readonly tipo: string;
  readonly proxima_em: string;
  readonly criada_em: string;
}

export function createMensagensQueries(w: TenantWriter) {
  return {
    async haAtivos(): Promise<boolean> {
      const ativos = w.from('webhooks').where('situacao', 'ativo').whereNull('removido_em').limit(1);
      return (await rowsOf(ativos, ID)).length > 0;
    },

    /** Those that get events, which nobody pauses or removes until the transaction ends. */
    async inscritos(): Promise<Inscrito[]> {
      const ativos = w.from('webhooks').where('situacao', 'ativo').whereNull('removido_em').orderBy('id').forShare();
      return (await rowsOf(ativos, ATIVO)).map(({ id, eventos }) => ({ id, eventos: jsonColumn<string[]>(eventos) }));
    },

    /** Ids of the messages of events, by the event's. */
    async deEventos(eventoIds: readonly number[]): Promise<Map<number, number>> {
      if (eventoIds.length === 0) return new Map();
      const rows = await rowsOf(w.from('webhook_mensagens').whereIn('evento_id', [...eventoIds]), DE_EVENTO);
      return new Map(rows.map(({ id, evento_id }) => [evento_id, id]));
    },

    /** Which webhooks have a delivery of each of some messages. */
    async entregasDe(mensagemIds: readonly number[]): Promise<Map<number, Set<number>>> {
      const webhooks = new Map<number, Set<number>>();
      if (mensagemIds.length === 0) return webhooks;
      const entregas = w.from('webhook_entregas').whereIn('mensagem_id', [...mensagemIds]);
      for (const { mensagem_id, webhook_id } of await rowsOf(entregas, DE_QUEM)) {
        const deles = webhooks.get(mensagem_id);
        if (deles === undefined) webhooks.set(mensagem_id, new Set([webhook_id]));
        else deles.add(webhook_id);
      }
      return webhooks;
    },

    async inserirMensagens(mensagens: readonly NovaMensagem[]): Promise<void> {
      if (mensagens.length > 0) await w.insert('webhook_mensagens', mensagens);
    },

    async inserirEntregas(entregas: readonly NovaEntrega[]): Promise<void> {
      if (entregas.length > 0) await w.insert('webhook_entregas', entregas);
    },
  };
}
