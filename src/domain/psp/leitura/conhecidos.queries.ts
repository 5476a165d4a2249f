import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { PixRecebido } from '../../recebimentos/recebimentos.types.ts';

interface ConhecidoRow {
  id: number;
  end_to_end_id: string;
  txid: string | null;
  valor: string;
}

const DO_CONHECIDO = columns<ConhecidoRow>('pix_recebidos', {
  id: true,
  end_to_end_id: true,
  txid: true,
  valor: true,
});

interface DevolucaoRow {
  recebido_id: number;
  devolucao: string;
  valor: string;
  natureza: string | null;
}

const DA_DEVOLUCAO = columns<DevolucaoRow>('pix_devolucoes', {
  recebido_id: true,
  devolucao: true,
  valor: true,
  natureza: true,
});

/**
 * Those of some PIX that say something that is not known yet. The list of a day is read many times, and what it says again is not written
 * again; all else goes the one way, which judges for itself.
 */
export async function porSaber(tenant: TenantDb, pix: readonly PixRecebido[]): Promise<PixRecebido[]> {
  if (pix.length === 0) return [];
  const ids = pix.map(({ endToEndId }) => endToEndId);
  const rows = await rowsOf(tenant.from('pix_recebidos').whereIn('end_to_end_id', ids), DO_CONHECIDO);
  const conhecidos = new Map(rows.map((row) => [row.end_to_end_id, row]));
  const comDevolucoes = pix.some(({ devolucoes }) => devolucoes.length > 0) && rows.length > 0;
  const devolucoes = comDevolucoes
    ? await rowsOf(
        tenant.from('pix_devolucoes').whereIn(
          'recebido_id',
          rows.map(({ id }) => id),
        ),
        DA_DEVOLUCAO,
      )
    : [];
  const dele = groupBy(devolucoes, ({ recebido_id: id }) => id);
  return pix.filter((um) => {
    const row = conhecidos.get(um.endToEndId);
    if (row === undefined) return true;
    if (lerDinheiro(row.valor) !== um.valor || (um.txid !== null && row.txid !== um.txid)) return true;
    return um.devolucoes.some(
      ({ id, valor, natureza }) =>
        dele
          .get(row.id)
          ?.some(
            (sabida) =>
              sabida.devolucao === id &&
              lerDinheiro(sabida.valor) === valor &&
              (natureza === null || sabida.natureza === natureza),
          ) !== true,
    );
  });
}
