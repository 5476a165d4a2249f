import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Write } from '../../escrita.ts';
import type { Devolucao } from '../recebimentos.types.ts';
import { createDevolucoesQueries } from './devolucoes.queries.ts';

/**
 * What a person said to have given back by PIX, at the bank, the PSP tells of under an id of its own: one return, which from now on is known
 * by that id. What the MED takes is another. Who calls holds the lock of the PIX.
 *
 * @param sabidas what is known of the PIX; resolves to the same by the PSP's ids.
 */
export async function reconhecerAMao(
  w: Write,
  pixId: number,
  sabidas: readonly Devolucao[],
  ditas: readonly Devolucao[],
): Promise<readonly Devolucao[]> {
  const nossas = new Set(sabidas.map(({ id }) => id));
  const novas = ditas.filter(({ id, natureza }) => !nossas.has(id) && natureza?.startsWith('MED_') !== true);
  if (novas.length === 0 || sabidas.length === 0) return sabidas;
  const aMao = (await createDevolucoesQueries(w).doPix(pixId, [...nossas])).filter(({ forma }) => forma === 'pix');
  const porNossoId = new Map<string, Devolucao>();
  for (const nova of novas) {
    const uma = aMao.find(({ devolucao, valor }) => !porNossoId.has(devolucao) && lerDinheiro(valor) === nova.valor);
    if (uma !== undefined) porNossoId.set(uma.devolucao, nova);
  }
  for (const [devolucao, { id, natureza }] of porNossoId) {
    await w.update('pix_devolucoes', (q) => void q.where({ recebido_id: pixId, devolucao }), {
      devolucao: id,
      natureza,
    });
  }
  return sabidas.map((sabida) => porNossoId.get(sabida.id) ?? sabida);
}
