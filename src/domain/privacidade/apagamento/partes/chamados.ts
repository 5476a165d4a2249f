import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { CHAMADOS_TAG, chamadoTag } from '../../../tags.ts';
import { TEXTO_REMOVIDO } from '../apagamento.types.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';

const DO_CHAMADO = columns<{ id: number; fechado_em: string | null }>('chamados', { id: true, fechado_em: true });

/** What was said in tickets, each once its time is over; that there was one, and when, stays. */
async function apagar({ w, titular, hoje, diaDe, desde }: Caso): Promise<Feito> {
  const comTexto = w
    .from('chamados')
    .where('cliente_id', titular.id)
    .where(
      (q) =>
        void q
          .where('assunto', '<>', TEXTO_REMOVIDO)
          .orWhere('descricao', '<>', TEXTO_REMOVIDO)
          .orWhereNotNull('solucao'),
    );
  const rows = await rowsOf(comTexto.orderBy('chamados.id').forUpdate(), DO_CHAMADO);
  // One that was closed by SQL may not say when.
  const prazos = rows.map(({ id, fechado_em: fim }) => ({ id, ate: PRAZOS.atendimento.ate(diaDe(fim ?? desde)) }));
  const passados = prazos.filter(({ ate }) => ate < hoje).map(({ id }) => id);
  if (passados.length > 0) {
    await w.update('chamados', (q) => void q.whereIn('id', passados), {
      assunto: TEXTO_REMOVIDO,
      descricao: TEXTO_REMOVIDO,
      solucao: null,
    });
    await w.update('chamados_historico', (q) => void q.whereIn('chamado_id', passados), { descricao: null });
    await w.update('chamados_notas', (q) => void q.whereIn('chamado_id', passados), { descricao: null });
    w.touch(CHAMADOS_TAG, ...passados.map(chamadoTag));
  }
  const dias = prazos.map(({ ate }) => ate).filter((ate) => ate >= hoje);
  const guardado = guardar('chamados.textos', PRAZOS.atendimento.porque, dias);
  return {
    apagados: passados.length > 0 ? ['chamados.textos'] : [],
    guardados: guardado === null ? [] : [guardado],
  };
}

export const DOS_CHAMADOS: Parte = { tabelas: ['chamados', 'chamados_historico', 'chamados_notas'], apagar };
