import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Write } from '../escrita.ts';
import type { EntradaHistoricoRow, TipoDeAutor } from './chamados.types.ts';

type Entrada = Pick<EntradaHistoricoRow, 'acao' | 'descricao'>;

function tipoDoAutor(kind: string): TipoDeAutor {
  if (kind === 'assinante') return 'cliente';
  return kind === 'usuario' ? 'equipe' : 'sistema';
}

const ULTIMAS = columns<{ chamado_id: number; ultima: number }>('chamados_historico', {
  chamado_id: true,
  ultima: 'MAX(chamados_historico.id)',
});

/** The row of an entry, by whoever writes. */
function linhaDe({ author }: Write, chamado_id: number, ocorrido_em: string, { acao, descricao }: Entrada) {
  const { name: autor, usuarioId: usuario_id, kind } = author;
  return { chamado_id, autor, usuario_id, autor_tipo: tipoDoAutor(kind), ocorrido_em, acao, descricao };
}

/**
 * Writes what everybody sees who reads the ticket; resolves to the id of the last entry. That is written by itself: of several rows the
 * server names the first id only, and its settings decide how far the next is from it.
 */
export async function inserirHistorico(
  w: Write,
  chamadoId: number,
  ocorrido_em: string,
  entradas: readonly Entrada[],
): Promise<number> {
  const linhas = entradas.map((entrada) => linhaDe(w, chamadoId, ocorrido_em, entrada));
  const antes = linhas.slice(0, -1);
  if (antes.length > 0) await w.insert('chamados_historico', antes);
  return w.insert('chamados_historico', linhas.slice(-1));
}

/** The same of many tickets at once; resolves to the id of the last entry of each, by the ticket's. */
export async function inserirHistoricos(
  w: Write,
  ocorrido_em: string,
  entradas: readonly (Entrada & { readonly chamado: number })[],
): Promise<ReadonlyMap<number, number>> {
  const primeira = await w.insert(
    'chamados_historico',
    entradas.map((entrada) => linhaDe(w, entrada.chamado, ocorrido_em, entrada)),
  );
  const chamados = [...new Set(entradas.map(({ chamado }) => chamado))];
  const novas = w.from('chamados_historico').whereIn('chamado_id', chamados).where('id', '>=', primeira);
  return new Map((await rowsOf(novas.groupBy('chamado_id'), ULTIMAS)).map((row) => [row.chamado_id, row.ultima]));
}
