import type { Write } from '../escrita.ts';
import type { EntradaHistoricoRow, TipoDeAutor } from './chamados.types.ts';

type Entrada = Pick<EntradaHistoricoRow, 'acao' | 'descricao'>;

function tipoDoAutor(kind: string): TipoDeAutor {
  if (kind === 'assinante') return 'cliente';
  return kind === 'usuario' ? 'equipe' : 'sistema';
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
  const { name: autor, usuarioId: usuario_id, kind } = w.author;
  const comum = { chamado_id: chamadoId, autor, usuario_id, autor_tipo: tipoDoAutor(kind), ocorrido_em };
  const linhas = entradas.map(({ acao, descricao }) => ({ ...comum, acao, descricao }));
  const antes = linhas.slice(0, -1);
  if (antes.length > 0) await w.insert('chamados_historico', antes);
  return w.insert('chamados_historico', linhas.slice(-1));
}
