import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';

/** The steps of the ladder, in their order. The first four are an invoice's; the last two are of a contract that is blocked. */
export const PASSOS = ['lembrete', 'vencimento', 'aviso', 'bloqueio', 'segundo_aviso', 'rescisao'] as const;
export type Passo = (typeof PASSOS)[number];

/** Steps that tell the client something in the provider's words. */
export const PASSOS_COM_TEXTO = ['lembrete', 'vencimento', 'aviso', 'bloqueio', 'segundo_aviso'] as const;
export type PassoComTexto = (typeof PASSOS_COM_TEXTO)[number];

/**
 * As the regulation in force since 2025-09-01 is understood (RGC, ANATEL Resolução 765/2023): a suspension comes no sooner than 15 days
 * after a notice that states reason, amount and deadlines, and a rescission no sooner than 60 days after the suspension, with a notice of
 * its own. That the second notice, too, comes 15 days before what it announces is ours.
 */
export const MINIMOS_DA_REGUA = { bloqueio: 15, rescisao: 60, entreSegundoAvisoERescisao: 15 } as const;

/** Until when, by the provider's clocks, the ladder goes on: nobody is told of debts at night. */
export const ULTIMA_HORA = 20;

export interface TextoDoPasso {
  readonly titulo: string;
  readonly texto: string;
}

export type TextosDaRegua = Readonly<Record<PassoComTexto, TextoDoPasso>>;

/** A provider's ladder. Days are calendar days. */
export interface ConfiguracaoRegua {
  /** Null while it is off. */
  readonly ativaDesde: Data | null;
  /** The local hour from which its day's work is done, 8 to 19. */
  readonly hora: number;
  /** Before the due date; null: no reminder. */
  readonly lembreteDias: number | null;
  readonly noVencimento: boolean;
  /** After the last day on which it could be paid as if in time. */
  readonly avisoDias: number;
  /** After the notice; null: nobody is blocked. */
  readonly bloqueioDias: number | null;
  /** After the block; null: no second notice, and so no rescission. */
  readonly segundoAvisoDias: number | null;
  /** After the block. */
  readonly rescisaoDias: number;
  /** Whether it cancels by itself; else people are told that they may. */
  readonly rescinde: boolean;
  /** Whether it also blocks on days without banks, and on the eve of one. */
  readonly vesperas: boolean;
  /** Whether a notice counts that no channel is known to have delivered. */
  readonly semEntrega: boolean;
  /** The least that must be missing of an invoice, without charges, for somebody to be blocked. */
  readonly minimo: Centavos;
  readonly textos: TextosDaRegua;
  readonly versao: string;
}

/** What became of the e-mail of a notice that reached nobody by it. */
export const NAO_CHEGOU = ['sem_endereco', 'sem_correio', 'falhou'] as const;

/**
 * Which notices of a day are listed where not all are: those that no channel is known to have delivered; or, of these, those that had no
 * address, or whose mail failed.
 */
export const ENTREGAS_LISTADAS = ['sem_confirmacao', 'sem_email', 'falhou'] as const;
export type EntregaListada = (typeof ENTREGAS_LISTADAS)[number];

/** Why somebody who would be blocked today is not. */
export type MotivoDeEspera =
  | 'pausa'
  | 'isento'
  | 'vespera'
  | 'retorno'
  | 'sem_encargos'
  | 'confianca'
  | 'promessa'
  | 'acordo'
  | 'processando'
  | 'minimo'
  | 'aviso_antigo'
  | 'sem_aviso_entregue'
  | 'prazo'
  | 'nao_ativo'
  | 'varios_contratos'
  | 'sem_contrato'
  | 'quitada';
