import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../platform/mysql/database.ts';

export type SituacaoDoWebhook = 'ativo' | 'pausado' | 'desativado';
/** Why one was disabled: nothing was delivered for days, or the receiver answered 410. */
export type MotivoDoWebhook = 'falhas' | 'gone';

export interface WebhookRow {
  id: number;
  url: string;
  descricao: string | null;
  eventos: string | string[];
  situacao: SituacaoDoWebhook;
  motivo: MotivoDoWebhook | null;
  segredo_fim: string;
  anterior_ate: string | null;
  falhando_desde: string | null;
  ultima_entrega_em: string | null;
  ultimo_sucesso_em: string | null;
  criado_em: string;
  atualizado_em: string;
}

export const DO_WEBHOOK = columns<WebhookRow>('webhooks', {
  id: true,
  url: true,
  descricao: true,
  eventos: true,
  situacao: true,
  motivo: true,
  segredo_fim: true,
  anterior_ate: true,
  falhando_desde: true,
  ultima_entrega_em: true,
  ultimo_sucesso_em: true,
  criado_em: true,
  atualizado_em: true,
});

/** Where a provider has events sent. */
export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly descricao: string | null;
  /** Names of events, `fatura.*`, or `*`. */
  readonly eventos: readonly string[];
  readonly situacao: SituacaoDoWebhook;
  readonly motivo: MotivoDoWebhook | null;
  /** The last four characters of the secret. */
  readonly segredoFim: string;
  /** Until when the secret of before signs, too. */
  readonly anteriorAte: Date | null;
  readonly falhandoDesde: Date | null;
  readonly ultimaEntregaEm: Date | null;
  readonly ultimoSucessoEm: Date | null;
  readonly criadoEm: Date;
  readonly atualizadoEm: Date;
}

export function paraWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    descricao: row.descricao,
    eventos: jsonColumn<string[]>(row.eventos),
    situacao: row.situacao,
    motivo: row.motivo,
    segredoFim: row.segredo_fim,
    anteriorAte: instante(row.anterior_ate),
    falhandoDesde: instante(row.falhando_desde),
    ultimaEntregaEm: instante(row.ultima_entrega_em),
    ultimoSucessoEm: instante(row.ultimo_sucesso_em),
    criadoEm: fromDatabaseTime(row.criado_em),
    atualizadoEm: fromDatabaseTime(row.atualizado_em),
  };
}

export const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

/** A secret's text is in this answer and nowhere else. */
export interface SegredoNovo {
  readonly id: number;
  /** `whsec_` and 32 bytes in base64. */
  readonly segredo: string;
}

export const ESTADOS_DE_ENTREGA = ['pendente', 'entregue', 'esgotada', 'cancelada'] as const;
/** As those outside know it. */
export type EstadoDaEntrega = (typeof ESTADOS_DE_ENTREGA)[number];
/** `em_andamento`: an attempt is being made; to those outside it is `pendente`. */
export type EstadoGuardado = EstadoDaEntrega | 'em_andamento';
