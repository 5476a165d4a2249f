import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { toJson } from '../../../platform/json.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { lerCampos, opcional } from '../../campos/campos.ts';
import { texto } from '../../campos/leitores.ts';
import { recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { DE_FORA, TESTE, ehDeFora } from '../../eventos/fora.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { novoUlid } from '../../ulid.ts';
import { createTentativa } from '../entregas/tentativa.ts';
import { TENTATIVAS } from '../entregas/horario.regras.ts';
import { segredosQueAssinam } from '../segredos.ts';
import type { SegredosRow } from '../segredos.ts';
import { travarWebhook } from '../webhooks.queries.ts';
import { createReenvioQueries } from './reenvio.queries.ts';
import type { Tentativa } from './registro.service.ts';

export type TesteDeWebhooksService = ReturnType<typeof createTesteDeWebhooksService>;

export interface TesteDeps {
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly saida: Pick<Outbound, 'send'>;
}

const MINUTO_MS = 60_000;
const POR_MINUTO = 6;

const CAMPOS_DO_TESTE = { tipo: opcional(texto(1, 60)) } as const;
const DOS_SEGREDOS = columns<SegredosRow>('webhooks', { segredo: true, segredo_anterior: true, anterior_ate: true });

/** Sends an example, at once. */
export function createTesteDeWebhooksService({ relogio, write, segredos, saida }: TesteDeps) {
  const tentar = createTentativa({ saida, relogio });

  return {
    /**
     * Makes one attempt with the example of an event, `teste.ping` where none is named; it is in the log and is not made again, and neither
     * its success nor its failure counts for the webhook. Also of one that is paused or disabled. 6 a minute.
     *
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `evento_desconhecido`, `limite_de_testes`
     */
    async testar(
      actor: Actor,
      provedor: Pick<Provedor, 'id' | 'panelHost'>,
      webhookId: number,
      dados: unknown,
    ): Promise<Tentativa & { readonly entregaId: number; readonly resposta: string | null }> {
      const { tipo = TESTE } = lerCampos(CAMPOS_DO_TESTE, dados);
      recusarSeNao(ehDeFora(tipo), 'evento_desconhecido', { campo: 'tipo' });
      const agora = relogio.agora();
      const corpo = toJson({
        type: tipo,
        timestamp: agora.toISOString(),
        provedor: provedor.panelHost,
        test: true,
        data: DE_FORA[tipo].exemplo,
      });
      const msgId = novoUlid(agora);
      const { entregaId, url, assinam } = await write(actor, provedor.id, async (w) => {
        const travado = await travarWebhook(w, webhookId);
        recusarSeNao(travado, 'nao_encontrado');
        const antes = await createReenvioQueries(w, webhookId).testesDesde(new Date(agora.getTime() - MINUTO_MS));
        recusarSeNao(antes < POR_MINUTO, 'limite_de_testes');
        const criada_em = toDatabaseTime(agora);
        const mensagem_id = await w.insert('webhook_mensagens', { msg_id: msgId, tipo, corpo, criada_em });
        const id = await w.insert('webhook_entregas', {
          webhook_id: webhookId,
          mensagem_id,
          tipo,
          // Nobody else takes it up, should this process die.
          estado: 'esgotada',
          tentativas: 1,
          vez: TENTATIVAS,
          proxima_em: criada_em,
          criada_em,
        });
        const [row] = await rowsOf(w.from('webhooks').where('webhooks.id', webhookId), DOS_SEGREDOS);
        recusarSeNao(row, 'nao_encontrado');
        return {
          entregaId: id,
          url: travado.webhook.url,
          assinam: segredosQueAssinam(segredos, provedor.id, { ...row, id: webhookId }, agora),
        };
      });
      const { esperaMs: _, ...resultado } = await tentar({ url, msgId, corpo, segredos: assinam });
      await write(actor, provedor.id, async (w) => {
        await w.insert('webhook_tentativas', {
          entrega_id: entregaId,
          numero: 1,
          em: toDatabaseTime(resultado.em),
          status: resultado.status,
          erro: resultado.erro,
          duracao_ms: resultado.duracaoMs,
          resposta: resultado.resposta,
        });
        await w.update('webhooks', (q) => void q.where({ id: webhookId }), {
          ultima_entrega_em: toDatabaseTime(resultado.em),
        });
        if (resultado.erro !== null) return;
        await w.update('webhook_entregas', (q) => void q.where({ id: entregaId }), {
          estado: 'entregue',
          entregue_em: toDatabaseTime(resultado.em),
        });
      });
      return { entregaId, numero: 1, ...resultado };
    },
  };
}
