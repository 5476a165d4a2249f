import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../../erros.ts';
import { buscarWebhook } from '../webhooks.queries.ts';
import { instante } from '../webhooks.types.ts';
import type { EstadoDaEntrega, EstadoGuardado } from '../webhooks.types.ts';
import { createRegistroQueries } from './registro.queries.ts';
import type { EntregaRow, FiltroDeEntregas, TentativaRow } from './registro.queries.ts';

export type RegistroDeWebhooksService = ReturnType<typeof createRegistroDeWebhooksService>;

/** An attempt that was made. */
export interface Tentativa {
  readonly numero: number;
  readonly em: Date;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Null where it was delivered. */
  readonly erro: string | null;
  readonly duracaoMs: number;
}

/** A message on its way to a webhook. */
export interface Entrega {
  readonly id: number;
  /** `msg_` and a ULID, the same in every attempt. */
  readonly mensagemId: string;
  readonly tipo: string;
  readonly situacao: EstadoDaEntrega;
  readonly tentativas: number;
  /** Null unless another attempt will be made. */
  readonly proximaEm: Date | null;
  readonly criadaEm: Date;
  readonly entregueEm: Date | null;
  readonly ultima: Tentativa | null;
}

export interface EntregaComCorpo extends Entrega {
  /** The exact text that is sent. */
  readonly corpo: string;
  /** Id of the request that caused the event; null where there was none. */
  readonly requisicaoId: string | null;
  readonly feitas: readonly (Tentativa & { readonly resposta: string | null })[];
}

/** How a webhook did in the 30 days for which deliveries are kept. */
export interface SaudeDoWebhook {
  readonly entregues: number;
  /** Those that were delivered or will not be. */
  readonly terminadas: number;
  readonly pendentes: number;
  /** When the oldest of these was made, which may be sent again; null where none waits. */
  readonly esperaDesde: Date | null;
}

const SEM_ENTREGAS: SaudeDoWebhook = { entregues: 0, terminadas: 0, pendentes: 0, esperaDesde: null };

/** What was sent to webhooks, and what came of it. */
export function createRegistroDeWebhooksService({ db }: { readonly db: Db }) {
  const queries = (provedorId: number) => createRegistroQueries(createTenantDb(db, provedorId));

  return {
    /** Deliveries of a webhook, newest first, up to `limite`. @throws Recusa `nao_encontrado` */
    async entregas(
      provedorId: number,
      webhookId: number,
      filtro: FiltroDeEntregas,
      limite: number,
    ): Promise<readonly Entrega[]> {
      recusarSeNao(await buscarWebhook(createTenantDb(db, provedorId), webhookId), 'nao_encontrado');
      const rows = await queries(provedorId).listar(webhookId, filtro, limite);
      const tentativas = await queries(provedorId).tentativas(rows.map(({ id }) => id));
      // The later one of each delivery takes the place of the earlier.
      const ultimas = new Map(tentativas.map((uma) => [uma.entrega_id, uma]));
      return rows.map((row) => paraEntrega(row, ultimas.get(row.id)));
    },

    /** How many there are in all of what a filter finds. */
    contar: async (provedorId: number, webhookId: number, filtro: FiltroDeEntregas): Promise<number> =>
      queries(provedorId).contar(webhookId, filtro),

    /** A delivery with what was sent and answered; null when the webhook has none of that id. */
    async entrega(provedorId: number, webhookId: number, id: number): Promise<EntregaComCorpo | null> {
      const row = await queries(provedorId).buscar(webhookId, id);
      if (row === undefined) return null;
      const feitas = await queries(provedorId).comRespostas(id);
      return {
        ...paraEntrega(row, feitas.at(-1)),
        corpo: row.corpo,
        requisicaoId: row.requisicao_id,
        feitas: feitas.map((uma) => ({ ...paraTentativa(uma), resposta: uma.resposta })),
      };
    },

    /** Of each webhook, by its id; of one alone where it is named. What nothing was ever sent to is missing. */
    async saude(provedorId: number, webhookId?: number): Promise<ReadonlyMap<number, SaudeDoWebhook>> {
      const saudes = new Map<number, SaudeDoWebhook>();
      const porEstado = await queries(provedorId).porEstado(webhookId);
      for (const { webhook_id: id, estado, total } of porEstado) {
        const { entregues, terminadas, pendentes } = saudes.get(id) ?? SEM_ENTREGAS;
        const espera = emFila(estado);
        saudes.set(id, {
          ...SEM_ENTREGAS,
          entregues: entregues + (estado === 'entregue' ? total : 0),
          terminadas: terminadas + (estado === 'entregue' || estado === 'esgotada' ? total : 0),
          pendentes: pendentes + (espera ? total : 0),
        });
      }
      const esperam = porEstado.flatMap(({ estado, primeira }) => (emFila(estado) ? [primeira] : []));
      for (const { webhook_id: id, criada_em } of await queries(provedorId).quando(esperam)) {
        const saude = saudes.get(id) ?? SEM_ENTREGAS;
        const desde = fromDatabaseTime(criada_em);
        if (saude.esperaDesde === null || desde < saude.esperaDesde) saudes.set(id, { ...saude, esperaDesde: desde });
      }
      return saudes;
    },

    /** Half of the latest deliveries took no longer than this, in milliseconds; null where nothing was delivered. */
    async mediana(provedorId: number, webhookId: number): Promise<number | null> {
      const duracoes = (await queries(provedorId).duracoes(webhookId)).toSorted((a, b) => a - b);
      return duracoes[Math.floor((duracoes.length - 1) / 2)] ?? null;
    },
  };
}

const emFila = (estado: EstadoGuardado): boolean => estado === 'pendente' || estado === 'em_andamento';

function paraTentativa({ numero, em, status, erro, duracao_ms }: TentativaRow): Tentativa {
  return { numero, em: fromDatabaseTime(em), status, erro, duracaoMs: duracao_ms };
}

function paraEntrega(row: EntregaRow, ultima: TentativaRow | undefined): Entrega {
  return {
    id: row.id,
    mensagemId: `msg_${row.msg_id}`,
    tipo: row.tipo,
    situacao: row.estado === 'em_andamento' ? 'pendente' : row.estado,
    tentativas: row.tentativas,
    proximaEm: row.estado === 'pendente' ? fromDatabaseTime(row.proxima_em) : null,
    criadaEm: fromDatabaseTime(row.criada_em),
    entregueEm: instante(row.entregue_em),
    ultima: ultima === undefined ? null : paraTentativa(ultima),
  };
}
