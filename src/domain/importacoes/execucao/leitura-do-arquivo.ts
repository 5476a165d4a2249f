import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { partesDe } from '../arquivo/arquivo.queries.ts';
import { lerLinhas } from '../arquivo/linhas.ts';
import type { Importacao, Nota } from '../importacoes.types.ts';
import { criarMarcas } from '../linhas/marcas.ts';
import { criarRegistro, posicoesDe } from '../linhas/registro.ts';
import type { Assunto, Lida, Recusada } from '../lotes/lote.types.ts';

/** Of one write: long enough that its own statements weigh little, short enough that nobody waits for its locks. */
export const LINHAS_DO_LOTE = 500;

/** Lines that follow one another in a file, as far as the file alone tells what they are. */
export interface Lote<Valor> {
  /** The first line of the file that is not before this lot, and the first after it. */
  readonly de: number;
  readonly ate: number;
  readonly lidas: readonly Lida<Valor>[];
  readonly recusadas: readonly Recusada[];
  /** Of each line of which something was changed in reading. */
  readonly notas: readonly { readonly linha: number; readonly notas: readonly Nota[] }[];
  /** Cells of the refused, where they were asked for. */
  readonly celulas: ReadonlyMap<number, readonly string[]>;
}

interface Fonte {
  readonly tenant: TenantDb;
  readonly segredos: Secrets;
  readonly importacao: Importacao;
}

/**
 * Reads a file from its beginning, in lots. A lot that was written before is read again all the same, because later lines may repeat one
 * of its lines.
 */
export async function* lotesDe<Valor, Nova>(
  { tenant, segredos, importacao }: Fonte,
  assunto: Assunto<Valor, Nova>,
  { comCelulas = false }: { comCelulas?: boolean } = {},
): AsyncGenerator<Lote<Valor>> {
  const { id, leitura } = importacao;
  const posicoes = posicoesDe(importacao);
  const marcas = criarMarcas();
  let lidas: Lida<Valor>[] = [];
  let recusadas: Recusada[] = [];
  let notas: { linha: number; notas: readonly Nota[] }[] = [];
  let celulas = new Map<number, readonly string[]>();
  let de = 1;
  let ate = 1;
  for await (const linha of lerLinhas(partesDe(tenant, segredos, id), leitura)) {
    const registro = criarRegistro(linha, leitura, posicoes);
    const valor = assunto.ler(registro, importacao);
    if (valor !== null) assunto.marcar(marcas, valor, registro);
    const { resumo, erros } = registro;
    if (valor === null || erros.length > 0) recusadas.push({ linha: linha.linha, resumo, erros });
    else lidas.push({ linha: linha.linha, resumo, valor });
    if (registro.notas.length > 0) notas.push({ linha: linha.linha, notas: registro.notas });
    if (comCelulas) celulas.set(linha.linha, linha.celulas);
    ate = linha.linha + 1;
    if (lidas.length + recusadas.length < LINHAS_DO_LOTE) continue;
    yield { de, ate, lidas, recusadas, notas, celulas };
    lidas = [];
    recusadas = [];
    notas = [];
    celulas = new Map();
    de = ate;
  }
  if (lidas.length + recusadas.length > 0) yield { de, ate, lidas, recusadas, notas, celulas };
}

/** Says of each fault from which column its field comes. */
export function comColunas(
  importacao: Pick<Importacao, 'mapa' | 'leitura'>,
  recusadas: readonly Recusada[],
): Recusada[] {
  const posicoes = posicoesDe(importacao);
  return recusadas.map((recusada) => ({
    ...recusada,
    erros: recusada.erros.map((erro) => ({
      ...erro,
      coluna: erro.coluna ?? importacao.leitura.colunas[posicoes.get(erro.campo ?? '')?.[0] ?? -1] ?? null,
    })),
  }));
}
