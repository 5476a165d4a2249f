import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Outbound } from '../../platform/http/outbound/outbound.ts';
import { UrlRefused } from '../../platform/http/outbound/url.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { lerAlteracao, lerCampos } from '../campos/campos.ts';
import { conferirVersao } from '../campos/versao.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { fimDoSegredo, novoSegredo } from './assinatura.regras.ts';
import { existe } from './inscricao.regras.ts';
import { cifrar } from './segredos.ts';
import { CAMPOS_DA_ALTERACAO, CAMPOS_DO_SEGREDO, CAMPOS_DO_WEBHOOK } from './webhooks.campos.ts';
import { contarWebhooks, listarWebhooks, buscarWebhook, travarWebhook } from './webhooks.queries.ts';
import type { SegredoNovo, Webhook } from './webhooks.types.ts';

export type WebhooksService = ReturnType<typeof createWebhooksService>;

export interface WebhooksDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly saida: Pick<Outbound, 'check'>;
}

const MAIS_WEBHOOKS = 20;
const HORA_MS = 3_600_000;
const HORAS_PADRAO = 24;

/** What may be said of a change. */
const NOMES = ['url', 'eventos', 'descricao', 'situacao'] as const;

/** Where a provider has events sent. */
export function createWebhooksService({ db, relogio, write, segredos, saida }: WebhooksDeps) {
  /** @throws Recusa `url_nao_permitida` */
  function exigirUrl(url: string): void {
    try {
      saida.check(url);
    } catch (error) {
      if (!(error instanceof UrlRefused)) throw error;
      throw new Recusa('url_nao_permitida', { campo: 'url', dito: error.message });
    }
  }

  /** @throws Recusa `evento_desconhecido` */
  function exigirEventos(eventos: readonly string[]): void {
    const desconhecido = eventos.find((nome) => !existe(nome));
    const dito = `não há evento de nome ${JSON.stringify(desconhecido?.slice(0, 60))}`;
    recusarSeNao(desconhecido === undefined, 'evento_desconhecido', { campo: 'eventos', dito });
  }

  /** What was to be delivered is not. */
  async function cancelarPendentes(w: Write, id: number): Promise<void> {
    await w.update(
      'webhook_entregas',
      (q) => void q.where({ webhook_id: id }).whereIn('estado', ['pendente', 'em_andamento']),
      { estado: 'cancelada' },
    );
  }

  return {
    listar: async (provedorId: number): Promise<Webhook[]> => listarWebhooks(createTenantDb(db, provedorId)),

    buscar: async (provedorId: number, id: number): Promise<Webhook | null> =>
      buscarWebhook(createTenantDb(db, provedorId), id),

    /**
     * Creates a webhook. The secret is in the answer and nowhere else.
     *
     * @throws CamposInvalidos, and Recusa: `url_nao_permitida`, `evento_desconhecido`, `limite_de_webhooks`
     */
    async criar(actor: Actor, provedorId: number, dados: unknown): Promise<SegredoNovo> {
      const { url, eventos, descricao = null, situacao = 'ativo' } = lerCampos(CAMPOS_DO_WEBHOOK, dados);
      exigirUrl(url);
      exigirEventos(eventos);
      const segredo = novoSegredo();
      return write(actor, provedorId, async (w) => {
        recusarSeNao((await contarWebhooks(w.tenant)) < MAIS_WEBHOOKS, 'limite_de_webhooks');
        const agora = toDatabaseTime(relogio.agora());
        const id = await w.insert('webhooks', {
          url,
          eventos: JSON.stringify(eventos),
          descricao,
          situacao,
          segredo: Buffer.alloc(0),
          segredo_fim: fimDoSegredo(segredo),
          criado_por: w.author.usuarioId,
          criado_em: agora,
          atualizado_em: agora,
        });
        // It is sealed for its row, whose id is known only now.
        await w.update('webhooks', (q) => void q.where({ id }), { segredo: cifrar(segredos, provedorId, id, segredo) });
        w.emit('webhook.criado', id);
        return { id, segredo };
      });
    },

    /**
     * Changes what is named. `ativo` brings back one that was paused or disabled, and clears its failures.
     *
     * @returns names of what is not as it was
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `url_nao_permitida`, `evento_desconhecido`
     */
    async alterar(actor: Actor, provedorId: number, id: number, dados: unknown): Promise<readonly string[]> {
      const { atualizado_em, ...campos } = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
      if (campos.url !== undefined) exigirUrl(campos.url);
      if (campos.eventos !== undefined) exigirEventos(campos.eventos);
      return write(actor, provedorId, async (w) => {
        const travado = await travarWebhook(w, id);
        recusarSeNao(travado, 'nao_encontrado');
        const { webhook, row } = travado;
        conferirVersao(atualizado_em, row.atualizado_em);
        const mudados = NOMES.filter(
          (nome) => campos[nome] !== undefined && JSON.stringify(campos[nome]) !== JSON.stringify(webhook[nome]),
        );
        if (mudados.length === 0) return [];
        const reativa = mudados.includes('situacao') && campos.situacao === 'ativo';
        await w.update('webhooks', (q) => void q.where({ id }), {
          ...Object.fromEntries(
            mudados.map((nome) => [nome, nome === 'eventos' ? JSON.stringify(campos.eventos) : campos[nome]]),
          ),
          ...(mudados.includes('situacao') ? { motivo: null } : {}),
          ...(reativa ? { falhas_seguidas: 0, falhando_desde: null, avisado_em: null } : {}),
          atualizado_em: toDatabaseTime(relogio.agora()),
        });
        w.emit('webhook.alterado', id, { campos: [...mudados] });
        return mudados;
      });
    },

    /** Removes a webhook: what was to be delivered is not, and what was sent stays in the log for its time. @throws Recusa `nao_encontrado` */
    async remover(actor: Actor, provedorId: number, id: number): Promise<void> {
      await write(actor, provedorId, async (w) => {
        recusarSeNao(await travarWebhook(w, id), 'nao_encontrado');
        const agora = toDatabaseTime(relogio.agora());
        const nada = { segredo: Buffer.alloc(0), segredo_anterior: null, anterior_ate: null };
        await w.update('webhooks', (q) => void q.where({ id }), { ...nada, removido_em: agora, atualizado_em: agora });
        await cancelarPendentes(w, id);
        w.emit('webhook.removido', id);
      });
    },

    /**
     * Makes another secret, shown in the answer alone. The one that was there signs beside it for some hours, 24 where nothing is said; one
     * of before that is dropped.
     *
     * @throws CamposInvalidos, and Recusa `nao_encontrado`
     */
    async trocarSegredo(
      actor: Actor,
      provedorId: number,
      id: number,
      dados: unknown,
    ): Promise<SegredoNovo & { readonly anteriorAte: Date }> {
      const { manter_horas: horas = HORAS_PADRAO } = lerCampos(CAMPOS_DO_SEGREDO, dados);
      const segredo = novoSegredo();
      return write(actor, provedorId, async (w) => {
        const travado = await travarWebhook(w, id);
        recusarSeNao(travado, 'nao_encontrado');
        const agora = relogio.agora();
        const anteriorAte = new Date(agora.getTime() + horas * HORA_MS);
        await w.update('webhooks', (q) => void q.where({ id }), {
          segredo: cifrar(segredos, provedorId, id, segredo),
          segredo_fim: fimDoSegredo(segredo),
          segredo_anterior: horas === 0 ? null : travado.segredo,
          anterior_ate: horas === 0 ? null : toDatabaseTime(anteriorAte),
          atualizado_em: toDatabaseTime(agora),
        });
        w.emit('webhook.segredo_trocado', id, { anterior_ate: anteriorAte.toISOString() });
        return { id, segredo, anteriorAte };
      });
    },
  };
}
