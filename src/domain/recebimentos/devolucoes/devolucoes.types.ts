import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../../platform/mysql/columns.ts';

/** By what the money came in that is given back. */
export const MEIOS_DEVOLVIDOS = ['pix', 'boleto', 'manual'] as const;
export type MeioDevolvido = (typeof MEIOS_DEVOLVIDOS)[number];

/** How a person gave it back. */
export const FORMAS_DE_DEVOLUCAO = ['dinheiro', 'transferencia', 'pix', 'outro'] as const;

/**
 * `pedida`: nobody has told the bank; `enviada`: the bank may have been told, and has not said what came of it; `devolvida`; `nao_realizada`:
 * the bank refused it, or people gave it up before it was sent.
 */
export type SituacaoDaDevolucao = 'pedida' | 'enviada' | 'devolvida' | 'nao_realizada';

/** In these, the amount is neither given back nor free. */
export const EM_CURSO = ['pedida', 'enviada'] as const satisfies readonly SituacaoDaDevolucao[];

/** Until when a PSP gives back a PIX (API Pix, `PUT /pix/{e2eid}/devolucao/{id}`). */
export const DIAS_PARA_DEVOLVER_PIX = 90;

export interface DevolucaoRow {
  id: number;
  meio: MeioDevolvido;
  pix_id: number | null;
  boleto_id: number | null;
  manual_id: number | null;
  fatura_id: number | null;
  devolucao: string;
  chave: string | null;
  valor: string;
  situacao: SituacaoDaDevolucao;
  motivo: string | null;
  forma: string | null;
  recusa: string | null;
  autor: string;
  pedida_em: string;
  respondida_em: string | null;
}

export const COLUNAS_DA_DEVOLUCAO = columns<DevolucaoRow>('devolucoes_pedidas', {
  id: true,
  meio: true,
  pix_id: true,
  boleto_id: true,
  manual_id: true,
  fatura_id: true,
  devolucao: true,
  chave: true,
  valor: true,
  situacao: true,
  motivo: true,
  forma: true,
  recusa: true,
  autor: true,
  pedida_em: true,
  respondida_em: true,
});

/** A return of a PIX that the PSP has still to be asked for, or about. */
export interface DevolucaoPendente {
  readonly id: number;
  /** Our own id of it, `[a-z0-9]{32}`, by which the PSP knows it. */
  readonly devolucao: string;
  readonly endToEndId: string;
  readonly txid: string | null;
  readonly valor: Centavos;
  readonly situacao: (typeof EM_CURSO)[number];
  readonly pedidaEm: Date;
  /** When the PSP was asked first, or was about to be. */
  readonly enviadaEm: Date | null;
}

/** What a PSP said of a return, or, `enviada`, that it is about to be asked. */
export interface RespostaDoPsp {
  readonly situacao: Exclude<SituacaoDaDevolucao, 'pedida'>;
  /** Why it was refused, in the bank's words; cut to 200 characters. */
  readonly motivo?: string | null;
}
