import type { Entrega, EntregaComCorpo, Tentativa } from '../../../domain/webhooks/registro/registro.service.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { entregaComCorpoSchema, entregaSchema, webhookSchema } from './webhooks.schemas.ts';

const quando = (instante: Date | null): string | null => instante?.toISOString() ?? null;

export function apresentarWebhook(webhook: Webhook, pendentes: number): TypeOf<typeof webhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.descricao,
    events: [...webhook.eventos],
    status: webhook.situacao,
    disabled_reason: webhook.motivo,
    failing_since: quando(webhook.falhandoDesde),
    secret_hint: webhook.segredoFim,
    previous_secret_until: quando(webhook.anteriorAte),
    pending: pendentes,
    last_delivery_at: quando(webhook.ultimaEntregaEm),
    last_success_at: quando(webhook.ultimoSucessoEm),
    created_at: webhook.criadoEm.toISOString(),
    updated_at: webhook.atualizadoEm.toISOString(),
  };
}

export const apresentarTentativa = ({ status, erro, duracaoMs }: Pick<Tentativa, 'status' | 'erro' | 'duracaoMs'>) => ({
  status_code: status,
  error: erro,
  duration_ms: duracaoMs,
});

export function apresentarEntrega(entrega: Entrega): TypeOf<typeof entregaSchema> {
  return {
    id: entrega.id,
    message_id: entrega.mensagemId,
    type: entrega.tipo,
    status: entrega.situacao,
    attempts: entrega.tentativas,
    next_attempt_at: quando(entrega.proximaEm),
    created_at: entrega.criadaEm.toISOString(),
    delivered_at: quando(entrega.entregueEm),
    last: entrega.ultima === null ? null : apresentarTentativa(entrega.ultima),
  };
}

export function apresentarEntregaComCorpo(entrega: EntregaComCorpo): TypeOf<typeof entregaComCorpoSchema> {
  return {
    ...apresentarEntrega(entrega),
    body: entrega.corpo,
    attempts_log: entrega.feitas.map((feita) => ({
      n: feita.numero,
      at: feita.em.toISOString(),
      ...apresentarTentativa(feita),
      response_body: feita.resposta,
    })),
  };
}
