import type { Knex } from 'knex';
import { computed, rowsOf } from '../../platform/mysql/columns.ts';
import { emMemoriaPropria, FIM_DO_CAMPO, NULO } from '../../../workers/threads/extrato/contract.ts';
import type { TabelaExtraida } from './extratos.types.ts';
import { ESQUEMA } from './tabelas.queries.ts';
import type { AoLado, Retrato, Ultima } from './tabelas.queries.ts';

const NO_BANCO: Readonly<Record<TabelaExtraida, string>> = {
  clientes: 'clientes',
  contratos: 'contratos',
  faturas: 'faturas',
  chamados: 'chamados',
  planos: 'planos',
  quedas: 'quedas_diarias',
  nfcom: 'nfcom',
};

const emSql = (byte: number): string => `_binary x'${byte.toString(16)}'`;
const FIM_EM_BYTES = Buffer.of(FIM_DO_CAMPO);
const NULO_EM_BYTES = Buffer.of(NULO);
const VIRGULA_EM_BYTES = Buffer.from(',');

export interface Lote {
  readonly quantas: number;
  readonly ultima: Ultima;
  /** As `OrdemDoExtrato` has them; of its own memory. */
  readonly linhas: Uint8Array<ArrayBuffer>;
}

/** Reads one table in the order of its key. */
export function createLeituraDeTabela(retrato: Retrato, nome: TabelaExtraida) {
  const { tenant } = retrato;
  const { colunas, chaves, juntar = () => {}, aoLado } = ESQUEMA[nome];
  const tabela = NO_BANCO[nome];
  const ordem = colunas.slice(0, chaves).map((chave) => `${tabela}.${chave.nome}`);
  const campos = colunas.flatMap(({ sql, nulo }) => {
    if (sql === null) return [];
    const valor =
      typeof sql === 'function'
        ? sql(retrato)
        : tenant.db.raw(retrato.foraDeUtf8.has(sql) ? `CONVERT(${sql} USING utf8mb4)` : sql);
    const bytes = tenant.db.raw('CAST(? AS BINARY)', [valor]);
    return [nulo ? tenant.db.raw(`COALESCE(?, ${emSql(NULO)})`, [bytes]) : bytes];
  });
  // One value a row, which nobody parses on the event loop; the empty text ends its last field. As bytes, for no text has those two.
  const juntos = computed<{ linha: Buffer }>({
    linha: tenant.db.raw(`CONCAT_WS(${emSql(FIM_DO_CAMPO)}, ${campos.map(() => '?').join(', ')}, '')`, campos),
  });

  return {
    /** The `quantas` rows after one, or from the first; null where there are none. */
    async proximas(depoisDe: Ultima | null, quantas: number): Promise<Lote | null> {
      const query = tenant.from(tabela, 'PRIMARY').modify(juntar).orderBy(ordem).limit(quantas);
      if (depoisDe !== null) query.where((onde) => depois(onde, ordem, depoisDe));
      const rows = await rowsOf(query, juntos);
      const last = rows.at(-1);
      if (last === undefined) return null;
      const ultima = camposDe(last.linha, chaves);
      const linhas = rows.map((row) => row.linha);
      const juntas = aoLado === undefined ? linhas : comTextos(linhas, await aoLado(tenant, depoisDe, ultima));
      return { quantas: rows.length, ultima, linhas: emMemoriaPropria(juntas) };
    },
  };
}

/** Rows that come after a place, in the order of up to two columns. */
function depois(onde: Knex.QueryBuilder, [a = '', b]: readonly string[], [x = '', y = '']: Ultima): void {
  onde.where(a, '>', x);
  if (b !== undefined) onde.orWhere((nele) => void nele.where(a, x).where(b, '>', y));
}

function camposDe(linha: Buffer, quantos: number): string[] {
  const campos: string[] = [];
  for (let inicio = 0; campos.length < quantos;) {
    const fim = linha.indexOf(FIM_DO_CAMPO, inicio);
    campos.push(linha.toString('latin1', inicio, fim));
    inicio = fim + 1;
  }
  return campos;
}

/** Each row, and after it the field of the texts that are its own; both are in the order of the key. */
function comTextos(linhas: readonly Buffer[], textos: Awaited<ReturnType<AoLado>>): Buffer[] {
  const partes: Buffer[] = [];
  let n = 0;
  for (const linha of linhas) {
    const chave = Number(camposDe(linha, 1)[0]);
    while ((textos[n]?.chave ?? chave) < chave) n += 1;
    partes.push(linha);
    const primeiro = n;
    for (let texto = textos[n]; texto?.chave === chave; texto = textos[n]) {
      if (n > primeiro) partes.push(VIRGULA_EM_BYTES);
      partes.push(texto.texto);
      n += 1;
    }
    if (n === primeiro) partes.push(NULO_EM_BYTES);
    partes.push(FIM_EM_BYTES);
  }
  return partes;
}
