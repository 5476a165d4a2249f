import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { notificarEquipe } from '../../recebimentos/equipe.service.ts';
import type { ClientePsp } from '../cliente/cliente.ts';
import type { ConvenioComSegredos } from '../convenios/convenios.queries.ts';

const AVISADO = columns<{ id: number; end_to_end_id: string }>('p', { id: true, end_to_end_id: true });

/** PSPs list late: what was told in the last two hours may still come. */
const ATRASO_MS = 2 * 3_600_000;
/** Asked for by their ids after one reading, at most; the others with the readings of the days after. */
const POR_LEITURA = 20;
const NAO_HA = 404;

/**
 * PIX of an agreement's charges that were told of in a span of time, that its list did not have, and that the PSP, asked for them by their ids,
 * does not know: whoever knows the receiver's address is believed, and nothing else would ever contradict him.
 *
 * @param vistos what the list of the span had
 */
export async function foraDaLista(
  tenant: TenantDb,
  cliente: ClientePsp,
  c: ConvenioComSegredos,
  { de, ate, agora }: { readonly de: Date; readonly ate: Date; readonly agora: Date },
  vistos: ReadonlySet<string>,
): Promise<number[]> {
  const fim = new Date(Math.min(ate.getTime(), agora.getTime() - ATRASO_MS));
  if (fim <= de) return [];
  const avisados = tenant
    .from('pix_recebidos as p', 'pix_recebidos_chegada')
    .join('psp_cobrancas as b', sameTenant('p', 'txid', 'b', 'txid'))
    .where('b.convenio_id', c.row.id)
    .where('p.criado_em', '>=', toDatabaseTime(de))
    .where('p.criado_em', '<', toDatabaseTime(fim))
    .whereNull('p.fora_da_lista_em')
    .orderBy('p.criado_em')
    .orderBy('p.id');
  const duvidosos = (await rowsOf(avisados, AVISADO)).filter(({ end_to_end_id: id }) => !vistos.has(id));
  const fora: number[] = [];
  for (const { id, end_to_end_id: fimAFim } of duvidosos.slice(0, POR_LEITURA)) {
    const resposta = await cliente.pedir(c, { metodo: 'GET', recurso: 'pix', partes: [fimAFim] });
    if (resposta.veio && resposta.status === NAO_HA) fora.push(id);
  }
  return fora;
}

/** Tells staff of them, once each. What they settled stays so: people decide. */
export async function anotarForaDaLista(w: Write, ids: readonly number[], agora: Date): Promise<void> {
  if (ids.length === 0) return;
  await w.update('pix_recebidos', (q) => void q.whereIn('id', [...ids]), { fora_da_lista_em: toDatabaseTime(agora) });
  const avisos = ids.map((id) => ({ tipo: 'recebimento.fora_da_lista', recurso: 'recebimento' as const, id }));
  await notificarEquipe(w, avisos, 'pix', agora);
}
