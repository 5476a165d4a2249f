import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Ocorrencia } from '../../../brazil/cnab/convenio.types.ts';
import type { Write } from '../../escrita.ts';
import { DIAS_DO_RETORNO } from '../../recebimentos/boletos/hibridos.service.ts';
import type { BoletoPago } from '../../recebimentos/boletos/boletos.types.ts';
import { travarTodasPorId } from '../../recebimentos/varias.service.ts';
import type { TituloEmMaos } from './estado.ts';
import type { TituloRow } from './titulos.queries.ts';

interface PixRow {
  fatura_id: number | null;
  txid: string | null;
  valor: string;
  pago_em: string;
}

const DO_PIX = columns<PixRow>('pix_recebidos', { fatura_id: true, txid: true, valor: true, pago_em: true });

/**
 * Where a hybrid boleto is settled, locks the invoices of all settled titles before its PIX is looked for: whoever tells of that PIX at the
 * same time has either written it before, and it is seen, or waits, and then sees what was done. All are locked at once, in the order in
 * which settling locks them.
 *
 * @returns whether it did, so that what was read of the titles has to be read again
 */
export async function travarHibridos(
  w: Write,
  rows: readonly TituloRow[],
  ocorrencias: readonly Ocorrencia[],
): Promise<boolean> {
  const pagos = new Set(ocorrencias.flatMap(({ classe, nossoNumero }) => (classe === 'liquidado' ? nossoNumero : [])));
  const liquidados = rows.filter(({ numero }) => numero !== null && pagos.has(numero));
  if (!liquidados.some(({ pix }) => pix !== null)) return false;
  const faturas = [...new Set(liquidados.map(({ fatura_id: id }) => id))];
  await travarTodasPorId(w, faturas);
  return true;
}

/**
 * Says of a settlement of a hybrid boleto whether it was paid by its QR code and the PSP has told of that PIX: it is one payment, that two
 * tell of. Each PIX stands for one settlement at most. One statement, and none where no title has a code.
 */
export async function pagosPelaChave(
  w: Write,
  titulos: readonly TituloEmMaos[],
  fuso: string,
): Promise<(titulo: TituloEmMaos, pago: BoletoPago) => boolean> {
  const txids = titulos.flatMap(({ row }) => (temChave(row) && row.pix_txid !== null ? [row.pix_txid] : []));
  if (txids.length === 0) return dito;
  const porTxid = groupBy(
    await rowsOf(w.from('pix_recebidos').whereIn('txid', [...new Set(txids)]), DO_PIX),
    ({ txid }) => txid,
  );
  const contados = new Set<PixRow>();
  return (titulo, pago) => {
    const { row, situacao } = titulo;
    if (dito(titulo, pago)) return true;
    if (!temChave(row) || situacao === 'liquidado' || titulo.pagoPorPix !== null) return false;
    const { pagoEm, valor } = pago;
    const um = (porTxid.get(row.pix_txid) ?? []).find((pix) => {
      const dias = diasEntre(hojeEm(fuso, fromDatabaseTime(pix.pago_em)), pagoEm);
      return (
        !contados.has(pix) &&
        pix.fatura_id === row.fatura_id &&
        lerDinheiro(pix.valor) === valor &&
        dias >= 0 &&
        dias <= DIAS_DO_RETORNO
      );
    });
    if (um === undefined) return false;
    contados.add(um);
    titulo.pagoPorPix = pago.chave;
    return true;
  };
}

/** Whether this is the settlement that was found to be a PIX, told again by another file. */
const dito = ({ pagoPorPix }: TituloEmMaos, { chave }: BoletoPago): boolean => pagoPorPix === chave;

/** Whether the code of its invoice is that of the title: a charge of the PSP's beside it is paid by itself. */
const temChave = ({ pix, pix_copia_cola }: TituloEmMaos['row']): boolean => pix !== null && pix === pix_copia_cola;
