import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Travada } from '../quitacao.service.ts';
import type { PixRecebido } from '../recebimentos.types.ts';

/** A retorno is of the next business day, and holidays may come between. */
export const DIAS_DO_RETORNO = 6;

interface HibridoRow {
  id: number;
  boleto_id: number;
  chave: string;
  valor: string;
  pago_no_dia: string;
}

const HIBRIDO = columns<HibridoRow>('r', {
  id: true,
  boleto_id: 'b.id',
  chave: true,
  valor: true,
  pago_no_dia: true,
});

/**
 * A hybrid boleto that was paid by its code is told of by its bank's file and by the PSP. Where the file came first, what it told gives way to
 * the PIX, so that the money counts once; the invoice is judged anew by who calls, who holds its lock.
 *
 * @returns whether there was such a boleto.
 */
export async function cederAoPix(
  w: Write,
  { fusoHorario }: Provedor,
  { fatura, antes }: Travada,
  pix: Pick<PixRecebido, 'endToEndId' | 'txid' | 'valor' | 'horario'>,
  agora: Date,
): Promise<boolean> {
  const candidatos = antes.filter(
    ({ meio, valor, devolvido, vinculado_em: vinculado }) =>
      meio === 'boleto' && lerDinheiro(valor) === pix.valor && lerDinheiro(devolvido) === 0 && vinculado === null,
  );
  if (candidatos.length === 0) return false;
  const deles = w
    .from('boletos_recebidos as r')
    .join('faturas as f', sameTenant('r', 'fatura_id', 'f', 'id'))
    .join('boletos as b', sameTenant('r', 'fatura_id', 'b', 'fatura_id'))
    .whereIn(
      'r.id',
      candidatos.map(({ id }) => id),
    )
    .where({ 'r.fatura_id': fatura.id, 'f.pix_txid': pix.txid })
    .whereNull('r.desfeito_em')
    .whereNull('b.pago_por_pix')
    .whereRaw('b.numero = r.nosso_numero AND b.pix = f.pix_copia_cola')
    .orderBy('r.id')
    .forUpdate();
  const dia = hojeEm(fusoHorario, pix.horario);
  const um = (await rowsOf(deles, HIBRIDO)).find(({ pago_no_dia: pago }) => {
    const dias = diasEntre(dia, pago as Data);
    return dias >= 0 && dias <= DIAS_DO_RETORNO;
  });
  if (um === undefined) return false;
  await w.update('boletos_recebidos', (q) => void q.where('id', um.id), {
    desfeito_em: toDatabaseTime(agora),
    desfeito_por: `pix.${pix.endToEndId}`,
  });
  await w.update('boletos', (q) => void q.where('id', um.boleto_id), { pago_por_pix: um.chave });
  w.emit('boleto_recebido.era_pix', um.id, { fatura: fatura.id, valor: um.valor });
  return true;
}
