import type { Knex } from 'knex';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

/** What a file holds of one row: money as a decimal text, instants as ISO 8601 in UTC. */
export type LinhaExportada = Readonly<Record<string, unknown>>;

/** Whose rows are read. */
export interface DoTitular {
  readonly tenant: TenantDb;
  /** All registrations of the person. */
  readonly clientes: readonly number[];
  readonly contratos: readonly number[];
  readonly faturas: readonly number[];
  readonly chamados: readonly number[];
}

/** A part of the file. */
export interface Secao {
  /** Its field in the file. */
  readonly nome: string;
  /** Tables that it tells of. */
  readonly tabelas: readonly string[];
  /** In one statement. */
  readonly ler: (titular: DoTitular) => Promise<readonly LinhaExportada[]>;
}

/** Everything that is held of a person, as the file has it. */
export interface ExportacaoDoTitular {
  readonly formato: 'malha/titular';
  readonly versao: 1;
  readonly gerado_em: string;
  readonly provedor: { readonly id: number; readonly nome: string; readonly cnpj: string | null };
  readonly titular: { readonly cpf_cnpj: string; readonly nome: string };
  /** By the name of each section. */
  readonly secoes: Readonly<Record<string, readonly LinhaExportada[]>>;
  /** Rows of all sections. */
  readonly linhas: number;
}

/** How a table's rows become a section's. */
export interface SecaoDeTabela {
  readonly nome: string;
  readonly tabela: string;
  /** Columns as they are. */
  readonly campos: readonly string[];
  /** Columns that are instants. */
  readonly instantes?: readonly string[];
  /** Which rows are the person's. */
  readonly de: (query: Knex.QueryBuilder, titular: DoTitular) => Knex.QueryBuilder;
  readonly ordem?: string;
}
