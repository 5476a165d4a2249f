import { columns } from '../../platform/mysql/columns.ts';

/** How far a boleto is that is ours to register; null of an invoice: it is not. */
export const SITUACOES_DO_BOLETO = ['a_registrar', 'enviado', 'registrado', 'rejeitado', 'baixado'] as const;
export type BoletoSituacao = (typeof SITUACOES_DO_BOLETO)[number];

/** How far a title is. `liquidado`: it was paid; `desfeito`: its file never left, or its bank refused that whole. */
export type SituacaoDoTitulo = 'enviado' | 'registrado' | 'rejeitado' | 'baixado' | 'liquidado' | 'desfeito';

/** In the bank's words. */
export interface Motivo {
  readonly codigo: string;
  readonly texto: string;
}

/** A title, as it is stored. */
export interface BoletoRow {
  id: number;
  fatura_id: number;
  convenio_id: number;
  remessa_id: number | null;
  numero: string | null;
  dv: string | null;
  situacao: SituacaoDoTitulo;
  valor: string;
  vencimento: string;
  linha: string | null;
  barras: string | null;
  pix: string | null;
  /** By what key its bank tells of the PIX that paid it. */
  pago_por_pix: string | null;
  motivos: string | readonly Motivo[] | null;
  criado_em: string;
  registrado_em: string | null;
  encerrado_em: string | null;
}

export const COLUNAS_DO_BOLETO = columns<BoletoRow>('boletos', {
  id: true,
  fatura_id: true,
  convenio_id: true,
  remessa_id: true,
  numero: true,
  dv: true,
  situacao: true,
  valor: true,
  vencimento: true,
  linha: true,
  barras: true,
  pix: true,
  pago_por_pix: true,
  motivos: true,
  criado_em: true,
  registrado_em: true,
  encerrado_em: true,
});

/** From this many invoices on, all answers that are kept of the provider are forgotten at once, instead of those of each invoice. */
export const MUITAS = 1000;
