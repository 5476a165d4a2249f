import { expressions, rowsOfSql } from '../src/platform/mysql/columns.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import type { Linha, Valor } from './modelo.ts';

/** Rows of an INSERT: about half a megabyte, far below the 16 MB that MariaDB takes in a packet. */
const LINHAS_POR_COMANDO = 1500;

/** Column → ids of the table that it points to, in the order in which they were written. */
type Referencias = Readonly<Record<string, readonly number[]>>;

/** Writes many rows in few statements, within a transaction. */
export interface Gravador {
  /** Writes rows of the provider and returns their ids, in the order of the rows. */
  doProvedor(tabela: string, linhas: readonly Linha[], referencias?: Referencias): Promise<number[]>;
  /** Writes rows of a table without a tenant: FreeRADIUS's. */
  semProvedor(tabela: string, linhas: readonly Linha[]): Promise<void>;
}

const PASSO = expressions<{ passo: number }>({ passo: '@@auto_increment_increment' });

export async function createGravador(trx: Db, provedorId: number): Promise<Gravador> {
  // 1 on a single server; in a group, each member counts in larger steps.
  const [linha] = await rowsOfSql(trx, PASSO, (lista) => `SELECT ${lista}`);
  const passo = linha?.passo ?? 1;

  /**
   * An INSERT of a known number of rows gets consecutive ids, in every mode of auto increment and also while others
   * insert (MySQL's manual, InnoDB AUTO_INCREMENT, "simple inserts"), and tells the first.
   */
  async function gravar(
    tabela: string,
    linhas: readonly Linha[],
    fixas: Linha,
    referencias: Referencias,
  ): Promise<number[]> {
    const colunas = Object.keys(linhas[0] ?? {});
    const nomes = [...Object.keys(fixas), ...colunas];
    const valoresFixos = Object.values(fixas);
    const alvos = colunas.map((coluna) => referencias[coluna]);
    const marcas = `(${nomes.map(() => '?').join(',')})`;
    const ids: number[] = [];
    for (let i = 0; i < linhas.length; i += LINHAS_POR_COMANDO) {
      const lote = linhas.slice(i, i + LINHAS_POR_COMANDO);
      const valores: Valor[] = [];
      for (const linhaDoLote of lote) {
        valores.push(...valoresFixos);
        for (const [c, coluna] of colunas.entries()) {
          const valor = linhaDoLote[coluna] ?? null;
          valores.push(resolver(alvos[c], valor, coluna));
        }
      }
      const comando = `INSERT INTO ${tabela} (${nomes.join(',')}) VALUES ${lote.map(() => marcas).join(',')}`;
      const [resultado] = await trx.raw<{ insertId: number }[]>(comando, valores);
      if (resultado === undefined) throw new TypeError(`o banco não disse os ids gravados em ${tabela}`);
      for (let n = 0; n < lote.length; n += 1) ids.push(resultado.insertId + n * passo);
    }
    return ids;
  }

  return {
    doProvedor: (tabela, linhas, referencias = {}) => gravar(tabela, linhas, { provedor_id: provedorId }, referencias),
    async semProvedor(tabela, linhas) {
      await gravar(tabela, linhas, {}, {});
    },
  };
}

/** A position in the other table's list becomes its id. */
function resolver(ids: readonly number[] | undefined, valor: Valor, coluna: string): Valor {
  if (ids === undefined || valor === null) return valor;
  const id = ids[Number(valor)];
  if (id === undefined) throw new RangeError(`${coluna} aponta para uma linha que não foi gerada: ${String(valor)}`);
  return id;
}
