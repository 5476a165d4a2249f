import type { EstadoConexao } from '../conexoes/conexoes.types.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';

/** What a page of a list is asked by. A cursor that is no cursor of this list is the list's beginning. */
export interface PedidoDePagina {
  readonly cursor?: string | undefined;
}

/** How many there are: exactly, or at least so many. */
export interface TotalDaLista {
  readonly quantos: number;
  readonly exato: boolean;
}

export interface PaginaDaLista<T> {
  readonly itens: readonly T[];
  /** Cursor of the page after this one; null where it is the last. */
  readonly proxima: string | null;
  readonly anterior: string | null;
  readonly total: TotalDaLista;
}

export interface FiltroDeClientes {
  readonly situacao?: SituacaoCliente | undefined;
  readonly cidade?: string | undefined;
  /** Of one of the client's contracts that is not cancelled; so is the connection. */
  readonly planoId?: number | undefined;
  readonly conexao?: 'online' | 'offline' | 'bloqueado' | undefined;
}

export type OrdemDeClientes = 'nome' | 'id' | 'recentes';

export interface ClienteDaLista {
  readonly id: number;
  readonly nome: string;
  readonly nomeFantasia: string | null;
  /** Whole: who may not see it is shown less by the surface. */
  readonly cpfCnpj: string;
  readonly email: string | null;
  readonly situacao: SituacaoCliente;
  readonly cidade: string | null;
  readonly uf: string | null;
  readonly telefones: readonly string[];
  /** Those that are not cancelled. */
  readonly contratos: number;
  /** Of the first of those. */
  readonly plano: { readonly id: number; readonly nome: string } | null;
  /** Has an open invoice that was due before today. */
  readonly vencida: boolean;
}

export interface FiltroDeContratos {
  readonly situacao?: SituacaoContrato | undefined;
  readonly planoId?: number | undefined;
  /** Of the address of installation. */
  readonly cidade?: string | undefined;
  readonly diaVencimento?: number | undefined;
  readonly conexao?: 'online' | 'offline' | undefined;
  /** Address of the server of the newest session. */
  readonly servidor?: string | undefined;
}

export type OrdemDeContratos = 'id' | 'recentes';

export interface ContratoDaLista {
  readonly id: number;
  readonly clienteId: number;
  readonly clienteNome: string;
  readonly plano: { readonly id: number; readonly nome: string };
  readonly situacao: SituacaoContrato;
  readonly conexao: EstadoConexao;
  readonly login: string | null;
  readonly cidade: string | null;
  readonly diaVencimento: number;
  /** Decimal text. */
  readonly valor: string;
}

/** What the filters of the lists offer. */
export interface EscolhasDasListas {
  /** Of clients' addresses. */
  readonly cidadesDosClientes: readonly string[];
  /** Of addresses of installation. */
  readonly cidadesDosContratos: readonly string[];
  readonly planos: readonly { readonly id: number; readonly nome: string; readonly ativo: boolean }[];
  readonly servidores: readonly { readonly endereco: string; readonly nome: string | null }[];
}
