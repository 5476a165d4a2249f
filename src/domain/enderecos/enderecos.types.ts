import type { ColumnsOf } from '../../platform/mysql/columns.ts';

/** Columns of an address, the same in every table that has one. */
export interface EnderecoRow {
  cep: string | null;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  uf: string | null;
}

export type Endereco = Readonly<EnderecoRow>;

/** They are part of the columns of whoever has an address. */
export const DO_ENDERECO: ColumnsOf<EnderecoRow> = {
  cep: true,
  logradouro: true,
  numero: true,
  complemento: true,
  bairro: true,
  cidade: true,
  uf: true,
};

/** The address among a row's columns. */
export function paraEndereco(row: EnderecoRow): Endereco {
  return {
    cep: row.cep,
    logradouro: row.logradouro,
    numero: row.numero,
    complemento: row.complemento,
    bairro: row.bairro,
    cidade: row.cidade,
    uf: row.uf,
  };
}
