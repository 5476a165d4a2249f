import type { Knex } from 'knex';

/** Rows of a page. */
const POR_PAGINA = 50;

/** The order of a list: its columns in one direction, the last of them the id. */
export interface OrdemDaLista {
  readonly colunas: readonly ('nome' | 'id')[];
  readonly desce: boolean;
}

type Valores = readonly (string | number)[];

/** A place in a list: after the row of these values or, backwards, before it. */
export interface Lugar {
  readonly valores: Valores;
  readonly antes: boolean;
}

/** What holds a row's place. */
export interface ChaveRow {
  readonly id: number;
  readonly nome: string;
}

/** The place that a cursor names; null for the list's beginning, and for what is no cursor of this order. */
export function lerCursor(cursor: string | undefined, ordem: OrdemDaLista): Lugar | null {
  if (cursor === undefined || cursor.length > 1000) return null;
  try {
    const lido: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(lido) || lido.length !== ordem.colunas.length + 1) return null;
    const [sentido, ...valores] = lido as unknown[];
    const servem = ordem.colunas.every((coluna, n) =>
      coluna === 'id' ? Number.isSafeInteger(valores[n]) : typeof valores[n] === 'string',
    );
    if (!servem || (sentido !== 0 && sentido !== 1)) return null;
    return { valores: valores as Valores, antes: sentido === 1 };
  } catch {
    return null;
  }
}

function escrever(row: ChaveRow, { colunas }: OrdemDaLista, antes: boolean): string {
  return Buffer.from(JSON.stringify([antes ? 1 : 0, ...colunas.map((coluna) => row[coluna])])).toString('base64url');
}

/** Whether more was read than a page shows. */
export const haOutraPagina = (lidas: readonly unknown[]): boolean => lidas.length > POR_PAGINA;

/** Rows of a table from a place on, by default one more than a page: it says whether there is another. */
export function aPartirDe(
  query: Knex.QueryBuilder,
  tabela: string,
  ordem: OrdemDaLista,
  lugar: Lugar | null,
  limite = POR_PAGINA + 1,
): void {
  const desce = ordem.desce !== (lugar?.antes ?? false);
  const depois = desce ? '<' : '>';
  const [primeira = 'id', segunda] = ordem.colunas.map((coluna) => `${tabela}.${coluna}`);
  if (lugar !== null) {
    const [um = 0, outro = 0] = lugar.valores;
    if (segunda === undefined) {
      query.where(primeira, depois, um);
    } else {
      // The first condition is the range of the index, the second one cuts off its beginning.
      query
        .where(primeira, `${depois}=`, um)
        .where((q) => void q.where(primeira, depois, um).orWhere(segunda, depois, outro));
    }
  }
  for (const coluna of ordem.colunas) query.orderBy(`${tabela}.${coluna}`, desce ? 'desc' : 'asc');
  query.limit(limite);
}

/** The rows of a page in their order, of those that `aPartirDe` read, and the cursors beside it. */
export function recortar<Row extends ChaveRow>(lidas: readonly Row[], ordem: OrdemDaLista, lugar: Lugar | null) {
  const haMais = haOutraPagina(lidas);
  const antes = lugar?.antes ?? false;
  const daPagina = lidas.slice(0, POR_PAGINA);
  const linhas = antes ? daPagina.toReversed() : daPagina;
  const [primeira, ultima] = [linhas[0], linhas.at(-1)];
  const temAnterior = antes ? haMais : lugar !== null;
  const temProxima = antes ? true : haMais;
  return {
    linhas,
    proxima: ultima !== undefined && temProxima ? escrever(ultima, ordem, false) : null,
    anterior: primeira !== undefined && temAnterior ? escrever(primeira, ordem, true) : null,
  };
}
