import type { Data } from '../../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { FATURAS_TAG, faturaTag } from '../../../tags.ts';
import type { Caso, Feito, Parte } from '../apagamento.types.ts';
import { ultimosFatos } from '../fiscal.queries.ts';
import { PRAZOS, guardar } from '../prazos.regras.ts';

interface FaturaRow {
  id: number;
  motivo: string | null;
  descricao: string | null;
}

const DA_FATURA = columns<FaturaRow>('faturas', { id: true, motivo: true, descricao: true });

/** Until when charges and payments say whose they are; null where there were none. */
async function prazoFiscal({ w, titular, diaDe }: Caso): Promise<Data | null> {
  const { instantes, vencimento } = await ultimosFatos(w, titular.id);
  const dias = [...instantes.map(diaDe), ...(vencimento === null ? [] : [vencimento as Data])];
  const ultimo = dias.toSorted().at(-1);
  return ultimo === undefined ? null : PRAZOS.fiscal.ate(ultimo);
}

/** What an invoice was for stays with whose it is; amounts and dates stay for ever, then of nobody. */
async function apagar(caso: Caso): Promise<Feito> {
  const { w, titular, hoje } = caso;
  const ate = await prazoFiscal(caso);
  const passou = ate === null || ate < hoje;
  const comTexto = w
    .from('faturas')
    .where('cliente_id', titular.id)
    .where((q) => void (passou ? q.whereNotNull('motivo').orWhereNotNull('descricao') : q.whereNotNull('motivo')));
  const rows = await rowsOf(comTexto.orderBy('faturas.id').forUpdate(), DA_FATURA);
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    const nada = passou ? { motivo: null, descricao: null } : { motivo: null };
    await w.update('faturas', (q) => void q.whereIn('id', ids), nada);
    w.touch(FATURAS_TAG, ...ids.map(faturaTag));
  }
  const apagados = [
    ...(rows.some(({ motivo }) => motivo !== null) ? ['faturas.motivo'] : []),
    ...(passou && rows.some(({ descricao }) => descricao !== null) ? ['faturas.descricao'] : []),
  ];
  const guardado = passou ? null : guardar('faturas.descricao', PRAZOS.fiscal.porque, [ate]);
  return { apagados, guardados: guardado === null ? [] : [guardado] };
}

export const DAS_FATURAS: Parte = { tabelas: ['faturas'], apagar };
