import { expressions, rowsOfSql } from '../src/platform/mysql/columns.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import type { Linha, Valor } from './modelo.ts';

/** Linhas por INSERT: perto de meio megabyte, longe dos 16 MB que um MariaDB aceita num pacote. */
const LINHAS_POR_COMANDO = 1500;

/** Coluna → ids da tabela a que ela aponta, na ordem em que foram gravados. */
type Referencias = Readonly<Record<string, readonly number[]>>;

/** Grava muitas linhas em poucos comandos, dentro de uma transação. */
export interface Gravador {
  /** Grava linhas do provedor e devolve os ids, na ordem das linhas. */
  doProvedor(tabela: string, linhas: readonly Linha[], referencias?: Referencias): Promise<number[]>;
  /** Grava linhas de uma tabela sem inquilino: as do FreeRADIUS. */
  semProvedor(tabela: string, linhas: readonly Linha[]): Promise<void>;
}

const PASSO = expressions<{ passo: number }>({ passo: '@@auto_increment_increment' });

export async function createGravador(trx: Db, provedorId: number): Promise<Gravador> {
  // 1 em um servidor só; em um grupo, cada membro conta de tantos em tantos.
  const [linha] = await rowsOfSql(trx, PASSO, (lista) => `SELECT ${lista}`);
  const passo = linha?.passo ?? 1;

  /**
   * Um INSERT de várias linhas com quantidade conhecida recebe ids seguidos, em qualquer modo de auto incremento e mesmo
   * com outros inserindo (manual do MySQL, InnoDB AUTO_INCREMENT, "simple inserts"), e informa o primeiro.
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

/** A posição na lista da outra tabela vira o id dela. */
function resolver(ids: readonly number[] | undefined, valor: Valor, coluna: string): Valor {
  if (ids === undefined || valor === null) return valor;
  const id = ids[Number(valor)];
  if (id === undefined) throw new RangeError(`${coluna} aponta para uma linha que não foi gerada: ${String(valor)}`);
  return id;
}
