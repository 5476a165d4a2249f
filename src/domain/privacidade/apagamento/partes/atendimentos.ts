import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { clienteTag } from '../../../tags.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';

const DO_ATENDIMENTO = columns<{ id: number; aberto_em: string }>('atendimentos', { id: true, aberto_em: true });

/** What was noted of contacts, each once its time is over; that there was one, when, and its protocol stay. */
async function apagar({ w, titular, hoje, diaDe }: Caso): Promise<Feito> {
  const comTexto = w
    .from('atendimentos')
    .where('cliente_id', titular.id)
    .where((q) => void q.whereNotNull('assunto').orWhereNotNull('resumo'));
  const rows = await rowsOf(comTexto.orderBy('atendimentos.id').forUpdate(), DO_ATENDIMENTO);
  const prazos = rows.map(({ id, aberto_em: em }) => ({ id, ate: PRAZOS.atendimento.ate(diaDe(em)) }));
  const passados = prazos.filter(({ ate }) => ate < hoje).map(({ id }) => id);
  if (passados.length > 0) {
    await w.update('atendimentos', (q) => void q.whereIn('id', passados), { assunto: null, resumo: null });
    w.touch(clienteTag(titular.id));
  }
  const dias = prazos.map(({ ate }) => ate).filter((ate) => ate >= hoje);
  const guardado = guardar('atendimentos.textos', PRAZOS.atendimento.porque, dias);
  return {
    apagados: passados.length > 0 ? ['atendimentos.textos'] : [],
    guardados: guardado === null ? [] : [guardado],
  };
}

export const DOS_ATENDIMENTOS: Parte = { tabelas: ['atendimentos'], apagar };
