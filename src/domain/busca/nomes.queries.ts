import { columns, expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

/** Clients that are looked at, at most, of the rarest word. */
const CANDIDATOS = 2000;
/** Up to so many are words counted, to know the rarest. */
const CONTADAS = 5000;

const ID_DO_CLIENTE = columns<{ id: number }>('p', { id: 'p.cliente_id' });

/** Clients each of whose names has all words, each the beginning of one; those with the word itself first. */
export async function acharPorNome(
  tenant: TenantDb,
  palavras: readonly string[],
  limite: number,
): Promise<{ ids: number[]; incompleto: boolean }> {
  const [primeira] = palavras;
  if (primeira === undefined) return { ids: [], incompleto: false };
  const contagens = await contar(tenant, palavras);
  // Of two that are both too common to count, the longer one is likely to be the rarer.
  const rara =
    palavras.toSorted((a, b) => (contagens.get(a) ?? 0) - (contagens.get(b) ?? 0) || b.length - a.length)[0] ??
    primeira;
  const dela = tenant
    .from('clientes_palavras as p')
    .where('p.palavra', 'like', `${rara}%`)
    .orderBy(['p.palavra', 'p.cliente_id'])
    .limit(CANDIDATOS);
  const candidatos = tenant.db.from(dela.select('p.cliente_id', 'p.palavra').as('p'));
  for (const outra of palavras) {
    if (outra === rara) continue;
    // With its own LIMIT the server seeks each client's words, and does not gather first all rows of a common one.
    const tem = tenant
      .from('clientes_palavras as o')
      .whereRaw('o.cliente_id = p.cliente_id')
      .where('o.palavra', 'like', `${outra}%`)
      .limit(1);
    candidatos.whereRaw('(?) IS NOT NULL', [tem.select(tenant.db.raw('1'))]);
  }
  const achados = await rowsOf(candidatos.orderBy(['p.palavra', 'p.cliente_id']).limit(4 * limite), ID_DO_CLIENTE);
  const ids = [...new Set(achados.map(({ id }) => id))];
  const incompleto = ids.length > limite || achados.length === 4 * limite || (contagens.get(rara) ?? 0) > CANDIDATOS;
  return { ids: ids.slice(0, limite), incompleto };
}

/** How many rows each word has, up to a bound, by word: all in one statement. */
async function contar(tenant: TenantDb, palavras: readonly string[]): Promise<Map<string, number>> {
  if (palavras.length === 1) {
    const [unica = ''] = palavras;
    return new Map([[unica, (await contarUmas(tenant, [unica]))[0] ?? 0]]);
  }
  const contagens = await contarUmas(tenant, palavras);
  return new Map(palavras.map((palavra, n) => [palavra, contagens[n] ?? 0]));
}

async function contarUmas(tenant: TenantDb, palavras: readonly string[]): Promise<number[]> {
  const partes = palavras.map((palavra) => {
    const linhas = tenant.from('clientes_palavras').where('palavra', 'like', `${palavra}%`).limit(CONTADAS);
    return tenant.db.from(linhas.select('cliente_id').as('t')).count('*');
  });
  const COLUNAS = expressions<{ n: string }>({ n: `CONCAT_WS(',', ${partes.map(() => '?').join(', ')})` });
  const [linha] = await rowsOfSql(tenant.db, COLUNAS, (lista) => `SELECT ${lista}`, partes);
  return linha?.n.split(',').map(Number) ?? [];
}
