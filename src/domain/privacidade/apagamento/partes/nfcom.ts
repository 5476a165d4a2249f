import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { clienteTag, faturaTag } from '../../../tags.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';

const DA_NOTA = columns<{ id: number; fatura_id: number; emitida_em: string | null }>('nfcom', {
  id: true,
  fatura_id: true,
  emitida_em: true,
});

/**
 * The documents of fiscal notes name the person: each goes once its time is over, with what it was signed as before and its cancellation. Its
 * number, key and amount stay, of nobody. What else was said of the person for notes to come goes at once.
 */
async function apagar({ w, titular, hoje, diaDe, desde }: Caso): Promise<Feito> {
  const ditos = await w.delete('nfcom_clientes', (q) => void q.where('cliente_id', titular.id));
  const comDocumento = w
    .from('nfcom')
    .where('cliente_id', titular.id)
    .where(
      (q) =>
        void q
          .whereNotNull('xml_assinado')
          .orWhereNotNull('xml_autorizado')
          .orWhereNotNull('motivo')
          .orWhereNotNull('recusas'),
    );
  const rows = await rowsOf(comDocumento.orderBy('nfcom.id').forUpdate(), DA_NOTA);
  // One that was imported may not say when.
  const prazos = rows.map((row) => ({ ...row, ate: PRAZOS.fiscal.ate(diaDe(row.emitida_em ?? desde)) }));
  const passadas = prazos.filter(({ ate }) => ate < hoje);
  if (passadas.length > 0) {
    const ids = passadas.map(({ id }) => id);
    // What is still to be done of a note cannot be done without its document.
    const nada = { xml_assinado: null, xml_autorizado: null, motivo: null, recusas: null, pedido: null, etapa: null };
    await w.update('nfcom', (q) => void q.whereIn('id', ids), nada);
    await w.update('nfcom_versoes', (q) => void q.whereIn('nfcom_id', ids), { xml_assinado: null });
    const daNota = { xml_assinado: null, xml_resposta: null, motivo: null, justificativa: '' };
    await w.update('nfcom_eventos', (q) => void q.whereIn('nfcom_id', ids), daNota);
    w.touch(clienteTag(titular.id), ...passadas.map(({ fatura_id: fatura }) => faturaTag(fatura)));
  }
  const dias = prazos.map(({ ate }) => ate).filter((ate) => ate >= hoje);
  const guardado = guardar('nfcom.documentos', PRAZOS.fiscal.porque, dias);
  return {
    apagados: [...(passadas.length > 0 ? ['nfcom.documentos'] : []), ...(ditos > 0 ? ['nfcom.cliente'] : [])],
    guardados: guardado === null ? [] : [guardado],
  };
}

export const DAS_NOTAS: Parte = { tabelas: ['nfcom', 'nfcom_clientes'], apagar };
