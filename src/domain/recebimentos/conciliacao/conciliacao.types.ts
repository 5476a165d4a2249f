import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { MeioDevolvido } from '../devolucoes/devolucoes.types.ts';

/** Which of what came in is asked for: paid on days of the provider's own zone, both included, and by what account (null: all). */
export interface Recorte {
  readonly de: Data;
  readonly ate: Data;
  readonly conta: number | null;
}

/** Of one means, how much was told and where it is. */
interface LinhaDoLivro {
  readonly meio: MeioDevolvido;
  readonly quantidade: number;
  readonly avisado: Centavos;
  readonly aplicado: Centavos;
  readonly excedente: Centavos;
  readonly naoIdentificado: Centavos;
  readonly devolvido: Centavos;
}

/** An invoice that says that it holds less than what came to it: another program has changed one of the two. */
export interface Divergente {
  readonly faturaId: number;
  readonly valorPago: Centavos;
  readonly veio: Centavos;
}

/** `diferenca`: what came to invoices and they do not hold; `divergentes`: the largest of these. */
export interface Livro {
  readonly linhas: readonly LinhaDoLivro[];
  readonly diferenca: Centavos;
  readonly divergentes: readonly Divergente[];
}

export const SITUACOES_DE_ENTRADA = ['nao_identificada', 'devolvida'] as const;
export type SituacaoDaEntrada = (typeof SITUACOES_DE_ENTRADA)[number];

/** Something that came in, as people see it. */
export interface EntradaDoLivro {
  readonly meio: MeioDevolvido;
  readonly id: number;
  readonly faturaId: number | null;
  readonly clienteId: number | null;
  /** The end-to-end id of a PIX, the nosso número of a boleto, how money by hand was paid. */
  readonly identificador: string;
  readonly txid: string | null;
  readonly valor: Centavos;
  readonly devolvido: Centavos;
  readonly tarifa: Centavos;
  readonly pagoEm: Date;
  readonly vinculado: boolean;
  readonly desfeito: boolean;
}

/** An invoice that money without one may be of, with why, the likeliest first. */
export interface Proposta {
  readonly faturaId: number;
  readonly clienteId: number;
  readonly clienteNome: string;
  readonly situacao: string;
  readonly valor: Centavos;
  readonly vencimento: Data;
  /** In words, the strongest first. */
  readonly razoes: readonly string[];
  readonly pontos: number;
}
