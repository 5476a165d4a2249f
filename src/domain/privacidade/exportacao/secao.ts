import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { DoTitular, LinhaExportada, Secao, SecaoDeTabela } from './exportacao.types.ts';

export type Valor = string | number | null;

/** A section that is rows of one table, as they are. */
export function secao({ nome, tabela, campos, instantes = [], de, ordem = 'id' }: SecaoDeTabela): Secao {
  const todas = [...campos, ...instantes].map((campo) => [campo, true] as const);
  const colunas = columns<Record<string, Valor>>(tabela, Object.fromEntries(todas));
  return {
    nome,
    tabelas: [tabela],
    async ler(titular: DoTitular): Promise<readonly LinhaExportada[]> {
      const rows = await rowsOf(de(titular.tenant.from(tabela), titular).orderBy(`${tabela}.${ordem}`), colunas);
      return rows.map((row) => comInstantes(row, instantes));
    },
  };
}

/** A row whose instants are written as the API writes them. */
export function comInstantes(row: Readonly<Record<string, Valor>>, instantes: readonly string[]): LinhaExportada {
  const escritos = instantes.map((campo) => {
    const valor = row[campo];
    return [campo, typeof valor === 'string' ? fromDatabaseTime(valor).toISOString() : null] as const;
  });
  return { ...row, ...Object.fromEntries<string | null>(escritos) };
}
