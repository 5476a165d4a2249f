import { columns, expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

/** Clients that are looked at, at most, of the rarest word. */
const CANDIDATOS = 2000;
/** Of these, so many at once: of two common words the first few hundred mostly have all that is shown. */
const POR_VEZ = 400;
/** Up to so many are words counted, to know the rarest. */
const CONTADAS = 5000;

const ID_DO_CLIENTE = columns<{ id: number }>('clientes_palavras', { id: 'clientes_palavras.cliente_id' });

/** Clients each of whose names has all words, each the beginning of one; those with the word itself first. */
export async function acharPorNome(
  tenant: TenantDb,
  palavras: readonly string[],
  limite: number,
): Promise<{ ids: number[]; incompleto: boolean }> {
  if (palavras.length === 0) return { ids: [], incompleto: false };
  const contagens = await contar(tenant, palavras);
  const quantas = (palavra: string): number => contagens.get(palavra) ?? 0;
  // Of two that are both too common to count, the longer one is likely to be the rarer.
  const [rara = '', ...outras] = palavras.toSorted((a, b) => quantas(a) - quantas(b) || b.length - a.length);
  // One client may have several words that begin so.
  const lidas = outras.length === 0 ? 4 * limite : CANDIDATOS;
  const candidatos = await candidatosDe(tenant, rara, lidas);
  const ids: number[] = [];
  for (let n = 0; n < candidatos.length && ids.length <= limite; n += POR_VEZ) {
    let restam = candidatos.slice(n, n + POR_VEZ);
    for (const outra of outras) {
      const tem = await osQueTem(tenant, outra, restam);
      restam = restam.filter((id) => tem.has(id));
    }
    ids.push(...restam);
  }
  return { ids: ids.slice(0, limite), incompleto: ids.length > limite || quantas(rara) > lidas };
}

/** Clients that have a word that begins so, in the words' order. */
async function candidatosDe(tenant: TenantDb, palavra: string, limite: number): Promise<number[]> {
  const delas = tenant
    .from('clientes_palavras', 'PRIMARY')
    .where('palavra', 'like', `${palavra}%`)
    .orderBy(['palavra', 'cliente_id'])
    .limit(limite);
  return [...new Set((await rowsOf(delas, ID_DO_CLIENTE)).map(({ id }) => id))];
}

/** Of some clients, those that have a word that begins so: one range of the index for each, which a subquery of each would take thrice as long for. */
async function osQueTem(tenant: TenantDb, palavra: string, clientes: readonly number[]): Promise<Set<number>> {
  if (clientes.length === 0) return new Set();
  const delas = tenant
    .from('clientes_palavras', 'clientes_palavras_cliente')
    .whereIn('cliente_id', clientes)
    .where('palavra', 'like', `${palavra}%`);
  return new Set((await rowsOf(delas, ID_DO_CLIENTE)).map(({ id }) => id));
}

/** How many rows each word has, up to a bound, by word: all in one statement. */
async function contar(tenant: TenantDb, palavras: readonly string[]): Promise<Map<string, number>> {
  const partes = palavras.map((palavra) => {
    const linhas = tenant.from('clientes_palavras', 'PRIMARY').where('palavra', 'like', `${palavra}%`).limit(CONTADAS);
    return tenant.db.from(linhas.select('cliente_id').as('t')).count('*');
  });
  const COLUNAS = expressions<{ n: string }>({ n: `CONCAT_WS(',', ${partes.map(() => '?').join(', ')})` });
  const [linha] = await rowsOfSql(tenant.db, COLUNAS, (lista) => `SELECT ${lista}`, partes);
  const contagens = linha?.n.split(',').map(Number) ?? [];
  return new Map(palavras.map((palavra, n) => [palavra, contagens[n] ?? 0]));
}
