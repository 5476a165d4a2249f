import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { jsonColumn } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import { partesDe, temArquivo } from './arquivo/arquivo.queries.ts';
import { lerLinhas } from './arquivo/linhas.ts';
import type { Meio } from './execucao/andamento.types.ts';
import { comColunas } from './execucao/leitura-do-arquivo.ts';
import { ensaiar } from './execucao/simular.ts';
import type { Erro, Importacao } from './importacoes.types.ts';
import { SECRETOS, desalinhada, protegida } from './linhas/registro.ts';

interface LinhaRow {
  linha: number;
  situacao: string;
  erros: unknown;
}

const LINHA = columns<LinhaRow>('importacao_linhas', { linha: true, situacao: true, erros: true });
const LINHAS_DE_UMA_VEZ = 2000;

/** Lines of which something is to be said, by their number. */
async function* anotadas(
  { id }: Importacao,
  { db, provedor }: Meio,
): AsyncGenerator<{ linha: number; erros: Erro[]; recusada: boolean; difere: boolean }> {
  const tenant = createTenantDb(db, provedor.id);
  for (let depoisDe = -1; ;) {
    const linhas = tenant
      .from('importacao_linhas')
      .where({ importacao_id: id })
      .where('linha', '>', depoisDe)
      .whereNotNull('erros');
    const rows = await rowsOf(linhas.orderBy('linha').limit(LINHAS_DE_UMA_VEZ), LINHA);
    for (const { linha, situacao, erros } of rows) {
      yield {
        linha,
        erros: jsonColumn<Erro[]>(erros as string),
        recusada: situacao === 'recusada',
        difere: situacao === 'ja_estava',
      };
    }
    const ultima = rows.at(-1);
    if (ultima === undefined) return;
    depoisDe = ultima.linha;
  }
}

/** Refused lines: of what was run as it was then, of what was not as a dry run finds it now. */
async function* recusas(
  importacao: Importacao,
  meio: Meio,
): AsyncGenerator<{ linha: number; erros: readonly Erro[]; celulas: readonly string[] | null }> {
  if (!foiExecutada(importacao)) {
    for await (const { lote, recusadas } of ensaiar(importacao, meio, { comCelulas: true })) {
      for (const { linha, erros } of comColunas(importacao, recusadas).toSorted((a, b) => a.linha - b.linha)) {
        yield { linha, erros, celulas: lote.celulas.get(linha) ?? null };
      }
    }
    return;
  }
  const tenant = createTenantDb(meio.db, meio.provedor.id);
  const ditas = anotadas(importacao, meio);
  const doArquivo = (await temArquivo(tenant, importacao.id))
    ? lerLinhas(partesDe(tenant, meio.segredos, importacao.id), importacao.leitura)
    : null;
  try {
    for await (const { linha, erros, recusada } of ditas) {
      if (!recusada) continue;
      let celulas: readonly string[] | null = null;
      // Both are in the order of the lines, so the file is gone through once.
      for (let lida = await doArquivo?.next(); lida?.done === false; lida = await doArquivo?.next()) {
        if (lida.value.linha < linha) continue;
        celulas = lida.value.celulas;
        break;
      }
      yield { linha, erros, celulas };
    }
  } finally {
    await doArquivo?.return(undefined);
  }
}

const foiExecutada = ({ situacao }: Importacao): boolean => ['em_execucao', 'executada', 'desfeita'].includes(situacao);

/**
 * The refused lines with their own columns and one more, `erro`. Passwords are left blank: who mends a line mends it at its
 * source; and so are all cells of a line that has more or fewer than the file, of which nobody knows which is one.
 */
export async function* escreverRecusadas(importacao: Importacao, meio: Meio): AsyncGenerator<string> {
  const { leitura, mapa } = importacao;
  const secretas = new Set(
    leitura.colunas.flatMap((coluna, n) =>
      SECRETOS.includes(mapa.colunas[coluna] ?? '') || /senha|password/i.test(coluna) ? [n] : [],
    ),
  );
  yield linhaDeCsv([...leitura.colunas, 'linha', 'erro']);
  for await (const { linha, erros, celulas } of recusas(importacao, meio)) {
    const escritas = celulas === null || desalinhada(celulas, leitura) ? [] : celulas;
    const abertas = leitura.colunas.map((_, n) => (secretas.has(n) ? '' : (escritas[n] ?? '')));
    yield linhaDeCsv([...abertas, String(linha), erros.map(emTexto).join('; ')]);
  }
}

/** One line of the report for each thing that is to be said of a line of the file. */
export async function* escreverDetalhes(importacao: Importacao, meio: Meio): AsyncGenerator<string> {
  yield linhaDeCsv(['linha', 'coluna', 'campo', 'aviso', 'de', 'para']);
  if (foiExecutada(importacao)) {
    for await (const { linha, erros, recusada, difere } of anotadas(importacao, meio)) {
      for (const { coluna, campo, mensagem } of erros) {
        yield linhaDeCsv([
          String(linha),
          coluna ?? '',
          campo ?? '',
          `${recusada ? 'recusada' : difere ? 'difere' : 'ficou'}: ${mensagem}`,
          '',
          '',
        ]);
      }
    }
    return;
  }
  for await (const { lote, recusadas: doLote, diferem } of ensaiar(importacao, meio)) {
    const ditas = [
      ...comColunas(importacao, doLote).flatMap(({ linha, erros }) =>
        erros.map(({ coluna, campo, mensagem }) => ({
          linha,
          celulas: [coluna ?? '', campo ?? '', `recusada: ${mensagem}`, '', ''],
        })),
      ),
      ...comColunas(importacao, diferem).flatMap(({ linha, erros }) =>
        erros.map(({ coluna, campo, mensagem }) => ({
          linha,
          celulas: [coluna ?? '', campo ?? '', `difere: ${mensagem}`, '', ''],
        })),
      ),
      ...lote.notas.flatMap(({ linha, notas }) =>
        notas.map(({ coluna, campo, de, para, aviso = 'alterada na leitura' }) => ({
          linha,
          celulas: [coluna, campo, aviso, ...(SECRETOS.includes(campo) ? ['', ''] : [de, para])],
        })),
      ),
    ];
    for (const { linha, celulas } of ditas.toSorted((a, b) => a.linha - b.linha))
      yield linhaDeCsv([String(linha), ...celulas]);
  }
}

const emTexto = ({ coluna, campo, mensagem }: Erro): string => {
  const onde = coluna ?? campo;
  return onde === null ? mensagem : `${onde}: ${mensagem}`;
};

function linhaDeCsv(celulas: readonly string[]): string {
  const escritas = celulas.map((celula) => {
    const segura = protegida(celula);
    return /[";\r\n]/.test(segura) ? `"${segura.replaceAll('"', '""')}"` : segura;
  });
  return `${escritas.join(';')}\r\n`;
}
