import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import { COLUNAS_DA_FATURA } from '../faturas.types.ts';
import type { Fatura, FaturaRow, FiltroSituacaoFatura, TipoFatura } from '../faturas.types.ts';

/** Filters combine with AND. With `pagoDe` or `pagoAte` only paid invoices are found, whatever `situacao` says. */
export interface FiltroDaLista {
  readonly situacao?: FiltroSituacaoFatura | undefined;
  readonly clienteId?: number | undefined;
  readonly contratoId?: number | undefined;
  readonly tipo?: TipoFatura | undefined;
  readonly vencimentoDe?: Data | undefined;
  readonly vencimentoAte?: Data | undefined;
  /** Local days of the provider, both included. */
  readonly pagoDe?: Data | undefined;
  readonly pagoAte?: Data | undefined;
}

export type FaturaComClienteRow = FaturaRow & { cliente_nome: string };

export const COLUNAS_DA_LISTA = columns<FaturaComClienteRow>('faturas', {
  ...COLUNAS_DA_FATURA.of,
  cliente_nome: 'clientes.nome',
});

export type FaturaDaLista = Fatura & { readonly clienteNome: string };

export interface PaginaDaLista {
  readonly itens: readonly FaturaDaLista[];
  /** What the next page is asked for by; null at the end. */
  readonly proxima: string | null;
}

/** Sums of what a filter finds; null where it finds more than `LIMITE` and has to be narrowed. */
export interface TotaisDaLista {
  /** Never above the limit. */
  readonly quantas: number;
  /** Whether there are more than `quantas`. */
  readonly mais: boolean;
  /** What is left of open invoices, and of it what is overdue: without fine and interest. */
  readonly aberto: Centavos | null;
  readonly vencido: Centavos | null;
  readonly recebido: Centavos | null;
  readonly de: Date;
}
