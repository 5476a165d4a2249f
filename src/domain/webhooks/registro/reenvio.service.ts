import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { exigido, lerCampos, opcional } from '../../campos/campos.ts';
import { simOuNao } from '../../campos/leitores.ts';
import { versao as momento } from '../../campos/versao.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { SAEM_DA_CASA } from '../../eventos/traducao.regras.ts';
import { CONSUMIDOR } from '../mensagens/mensagens.service.ts';
import type { MensagensService } from '../mensagens/mensagens.service.ts';
import type { Alvo } from '../entregas/entregas.queries.ts';
import { travarWebhook } from '../webhooks.queries.ts';
import type { Webhook } from '../webhooks.types.ts';
import { createReenvioQueries } from './reenvio.queries.ts';
import type { Periodo } from './reenvio.queries.ts';

export type ReenvioService = ReturnType<typeof createReenvioService>;

export interface ReenvioDeps {
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly mensagens: Pick<MensagensService, 'escrever'>;
}

const DIA_MS = 86_400_000;
/** As long as events are kept. */
const MAIS_DIAS = 30;
/** Deliveries in one transaction, and in one call. */
const POR_LOTE = 500;
const POR_PEDIDO = 10_000;

/** `so_falhas`: those that were not delivered; otherwise also what never became a delivery. */
const CAMPOS_DO_REENVIO = {
  de: exigido(momento),
  ate: opcional(momento),
  so_falhas: opcional(simOuNao),
} as const;

/** Sends again what was not delivered, or what was. */
export function createReenvioService({ relogio, write, mensagens }: ReenvioDeps) {
  /** @throws Recusa `nao_encontrado`, `webhook_desativado` */
  async function travarAtivo(w: Write, id: number): Promise<Webhook> {
    const travado = await travarWebhook(w, id);
    recusarSeNao(travado, 'nao_encontrado');
    recusarSeNao(travado.webhook.situacao === 'ativo', 'webhook_desativado');
    return travado.webhook;
  }

  /** Begins anew with what was not delivered; each part is a transaction of its own. */
  async function recomecar(actor: Actor, { provedorId, webhookId }: Alvo, periodo: Periodo, agora: Date) {
    let feitas = 0;
    while (feitas < POR_PEDIDO) {
      const limite = Math.min(POR_LOTE, POR_PEDIDO - feitas);
      const doLote = await write(actor, provedorId, async (w) => {
        await travarAtivo(w, webhookId);
        return createReenvioQueries(w, webhookId).recomecar(periodo, agora, limite);
      });
      feitas += doLote;
      if (doLote < limite) break;
    }
    return feitas;
  }

  /** Makes deliveries of events that had none; of those that the webhook does not want there is none now either. */
  async function resgatar(actor: Actor, { provedorId, webhookId }: Alvo, periodo: Periodo, mais: number) {
    let feitas = 0;
    let depoisDe: number | null =
      mais > 0
        ? await write(actor, provedorId, async (w) => createReenvioQueries(w, webhookId).antesDe(periodo.de))
        : null;
    while (feitas < mais && depoisDe !== null) {
      const desde: number = depoisDe;
      const doLote: { readonly feitas: number; readonly ultimo: number | null } = await write(
        actor,
        provedorId,
        async (w) => {
          const webhook = await travarAtivo(w, webhookId);
          const limite = Math.min(POR_LOTE, mais - feitas);
          const eventos = await createReenvioQueries(w, webhookId).semEntrega(
            periodo,
            SAEM_DA_CASA,
            CONSUMIDOR.name,
            desde,
            limite,
          );
          const novas =
            eventos.length === 0
              ? 0
              : await mensagens.escrever(w, w.tenant, eventos, async () => Promise.resolve([webhook]));
          return { feitas: novas, ultimo: eventos.at(-1)?.id ?? null };
        },
      );
      feitas += doLote.feitas;
      depoisDe = doLote.ultimo;
    }
    return feitas;
  }

  return {
    /**
     * One new attempt now, whatever the delivery's state; the message is the same.
     *
     * @throws Recusa `nao_encontrado`, `webhook_desativado`
     */
    async reenviar(actor: Actor, provedorId: number, webhookId: number, entregaId: number): Promise<void> {
      await write(actor, provedorId, async (w) => {
        await travarAtivo(w, webhookId);
        const queries = createReenvioQueries(w, webhookId);
        const estado = await queries.travar(entregaId);
        recusarSeNao(estado, 'nao_encontrado');
        // One that is being attempted is attempted now.
        if (estado !== 'em_andamento') await queries.tentarJa(entregaId, estado, relogio.agora());
      });
    },

    /**
     * Queues what was not delivered of a time, up to 10,000 a call, oldest first; resolves to how many.
     *
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `webhook_desativado`
     */
    async reenviarDesde(actor: Actor, provedorId: number, webhookId: number, dados: unknown): Promise<number> {
      const { de, ate, so_falhas = true } = lerCampos(CAMPOS_DO_REENVIO, dados);
      const agora = relogio.agora();
      const periodo: Periodo = { de, ate: ate ?? agora };
      if (de.getTime() < agora.getTime() - MAIS_DIAS * DIA_MS) faltaEm('de', `só até ${MAIS_DIAS} dias atrás`);
      if (periodo.ate < de) faltaEm('ate', 'deve ser depois do começo');
      const alvo: Alvo = { provedorId, webhookId };
      const falhadas = await recomecar(actor, alvo, periodo, agora);
      return so_falhas ? falhadas : falhadas + (await resgatar(actor, alvo, periodo, POR_PEDIDO - falhadas));
    },
  };
}
