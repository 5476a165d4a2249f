import type { Data } from '../../brazil/datas.ts';
import type { BoletosParaImprimir } from '../../brazil/impressao.ts';
import type { Fatura, FaturaRow } from '../faturas/faturas.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** An invoice as whoever has its link sees it. */
export interface Cobranca {
  readonly fatura: Fatura;
  readonly provedor: Provedor;
  readonly identidade: Identidade;
  /** The provider's date that the invoice was judged by. */
  readonly hoje: Data;
}

/** The same with what goes on paper; null unless the invoice is open and has a boleto. */
export interface CobrancaImpressa extends Cobranca {
  readonly boletos: BoletosParaImprimir | null;
}

export interface CobrancaRow extends FaturaRow {
  nosso_numero: string | null;
  carne_id: number | null;
  parcela: number | null;
}

export const COLUNAS_DE_COBRANCA = [
  'id',
  'cliente_id',
  'contrato_id',
  'descricao',
  'situacao',
  'tipo',
  'valor',
  'valor_pago',
  'vencimento',
  'emitida_em',
  'pago_em',
  'token',
  'pix_txid',
  'pix_copia_cola',
  'linha_digitavel',
  'codigo_barras',
  'nosso_numero',
  'carne_id',
  'parcela',
].map((coluna) => `faturas.${coluna}`);
