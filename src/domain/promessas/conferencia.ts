import { corteDoAtraso } from '../../brazil/calendario/calendario-bancario.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { clienteTag, contratoTag } from '../tags.ts';
import { quebradas } from './divida.queries.ts';
import { encerrar } from './promessas.service.ts';
import { COLUNAS_DA_PROMESSA } from './promessas.types.ts';
import type { PromessaRow } from './promessas.types.ts';

/** Where the work is in the list of promises. */
type Lugar = readonly [data: Data, id: number];

const QUANTAS = expressions<{ total: number }>({ total: 'COUNT(*)' });
const ID_DA_PROMESSA = columns<{ id: number }>('promessas_pagamento', { id: true });

/** Open promises of before a day, by their day. */
function vencidas(tenant: TenantDb, dia: Data, depoisDe: Lugar | null) {
  const delas = tenant.from('promessas_pagamento').where('em_aberto', 1).where('data', '<', dia);
  if (depoisDe !== null) {
    const [data, id] = depoisDe;
    delas.whereRaw('(data > ? OR (data = ? AND id > ?))', [data, data, id]);
  }
  return delas;
}

/**
 * Ends promises whose day is over. What was promised for a day without banks may be paid on the next business day, as an invoice that is due
 * then: such a promise waits for it.
 */
export const createConferenciaDePromessas = ({
  relogio,
}: {
  readonly relogio: Relogio;
}): Trabalho<PromessaRow, Lugar> => ({
  evento: 'promessas.conferidas',
  etiquetas: [],
  lugar: ({ data, id }) => [data, id],
  // Those that are ended are no longer among them.
  retoma: false,
  async contar(tenant, dia, depoisDe) {
    const [contagem] = await rowsOf(vencidas(tenant, dia, depoisDe), QUANTAS);
    return contagem?.total ?? 0;
  },
  proximas: async (tenant, dia, depoisDe, limite) =>
    rowsOf(vencidas(tenant, dia, depoisDe).orderBy(['data', 'id']).limit(limite), COLUNAS_DA_PROMESSA),
  preparar: async (_tenant, provedor, dia, promessas) => async (w) => {
    const corte = corteDoAtraso(dia, provedor.regras.calendario);
    const ids = promessas.filter(({ data }) => data <= corte).map(({ id }) => id);
    // Locked: one that was ended meanwhile is not ended again.
    const abertas = w.from('promessas_pagamento').whereIn('id', ids).where('em_aberto', 1).orderBy('id').forUpdate();
    const travadas = new Set((await rowsOf(abertas, ID_DA_PROMESSA)).map(({ id }) => id));
    const destas = promessas.filter(({ id }) => travadas.has(id));
    const naoCumpridas = await quebradas(w.tenant, [...travadas]);
    const agora = relogio.agora();
    await encerrar(w, [...naoCumpridas], 'quebrada', agora);
    await encerrar(
      w,
      [...travadas].filter((id) => !naoCumpridas.has(id)),
      'cumprida',
      agora,
    );
    for (const { id, cliente_id: cliente, contrato_id: contrato, data } of destas) {
      w.touch(clienteTag(cliente), contratoTag(contrato));
      if (naoCumpridas.has(id)) w.emit('cliente.promessa_quebrada', cliente, { cliente, contrato, data });
    }
    return destas.length;
  },
});
