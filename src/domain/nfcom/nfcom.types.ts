import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';

export const SITUACOES_DE_NFCOM = [
  'pendente',
  'processando',
  'autorizada',
  'rejeitada',
  'cancelada',
  'substituida',
] as const;
export type SituacaoNfcom = (typeof SITUACOES_DE_NFCOM)[number];

export const AMBIENTES_DE_NFCOM = ['producao', 'homologacao'] as const;
export type AmbienteNfcom = (typeof AMBIENTES_DE_NFCOM)[number];
/** The one in which a provider does not issue notes now; some may be left of it. */
export const OUTRO_AMBIENTE = { producao: 'homologacao', homologacao: 'producao' } as const;

/** How a note is issued (tpEmis of the layout): once the authority has taken it, or offline, to be sent afterwards. */
export const TIPO_DE_EMISSAO = { normal: 1, contingencia: 2 } as const;

export type FinalidadeNfcom = 'normal' | 'substituicao' | 'ajuste';

/** The forms in which a note can be had: its DANFE-COM, and the authorised document itself. */
export const FORMATOS_DE_NFCOM = ['pdf', 'xml'] as const;
type FormatoNfcom = (typeof FORMATOS_DE_NFCOM)[number];

/** Which note an invoice has. */
export interface NfcomDaFatura {
  readonly id: number;
  readonly situacao: SituacaoNfcom;
}

/** A fiscal note of communication services (model 62). */
export interface Nfcom extends NfcomDaFatura {
  readonly faturaId: number;
  readonly clienteId: number;
  /** Null of a note that another system issued, and of one that was never built. */
  readonly contratoId: number | null;
  readonly finalidade: FinalidadeNfcom;
  readonly numero: number | null;
  readonly serie: number | null;
  /** 44 digits. */
  readonly chave: string | null;
  readonly ambiente: AmbienteNfcom;
  readonly protocolo: string | null;
  readonly valor: Centavos;
  readonly emitidaEm: Date | null;
  readonly autorizadaEm: Date | null;
  readonly canceladaEm: Date | null;
  /** What the tax authority said; null unless it was rejected. */
  readonly rejeicao: { readonly codigo: string | null; readonly motivo: string | null } | null;
  /** What its QR code says. */
  readonly qrCode: string | null;
  /** What can be downloaded of it now. */
  readonly formatos: readonly FormatoNfcom[];
}
