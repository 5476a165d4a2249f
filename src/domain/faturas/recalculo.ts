import type { Data } from '../../brazil/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro.ts';
import { txidEstaticoValido } from '../../brazil/pix.ts';
import type { ApuradasDoDia, FaturaDoDia, LoteDoDia } from '../../brazil/pix-do-dia.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Threads } from '../../platform/threads.ts';
import type { Write } from '../../platform/writes.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Trabalho } from '../tarefas/tarefas.types.ts';
import { apurarDivida, pedePagamentos } from './apuracao.regras.ts';
import { listarPagamentos } from './apuracao.service.ts';
import { contarVencidas, proximasVencidas, travarVencidas } from './noturno.queries.ts';
import type { FaturaVencidaRow } from './noturno.queries.ts';

/**
 * Stores what each overdue invoice asks for on a day, and the PIX code that carries it. Requests compute both themselves, by the same
 * rules; this is for those who read the table.
 */
export function createRecalculo({ threads }: { threads: Pick<Threads, 'run'> }): Trabalho {
  return {
    evento: 'faturas.recalculadas',
    contar: contarVencidas,
    proximo: proximasVencidas,

    async fazer(w, provedor, dia, ids) {
      const rows = await travarVencidas(w, dia, ids);
      if (rows.length === 0) return 0;
      const { recebedor, regras } = provedor;
      const faturas = await paraApurar(w, provedor, dia, rows);
      const lote = { recebedor, regras, hoje: dia, faturas };
      const { aPagar, pix } = await threads.run<LoteDoDia, ApuradasDoDia>('pix-do-dia', lote);
      return w.updateEach(
        'faturas',
        rows.map((row, n) => {
          const total = aPagar[n] ?? centavos(0);
          return {
            id: row.id,
            valor_atualizado: total === faturas[n]?.valor ? null : escreverDinheiro(total),
            // A code with a PSP's own txid is the PSP's to make.
            pix_copia_cola: temTxidDoPsp(row) ? row.pix_copia_cola : (pix[n] ?? null),
            apurada_em: dia,
          };
        }),
      );
    },
  };
}

const temTxidDoPsp = ({ pix_txid: txid }: FaturaVencidaRow): boolean => txid !== null && !txidEstaticoValido(txid);

/** In the order of the rows. Only what was paid in part needs to know of its payments, which one statement reads. */
async function paraApurar(
  w: Write,
  provedor: Provedor,
  dia: Data,
  rows: readonly FaturaVencidaRow[],
): Promise<FaturaDoDia[]> {
  const emParte = rows.filter(pedePagamentos).map(({ id }) => id);
  const pagamentos = emParte.length === 0 ? [] : await listarPagamentos(w.tenant, emParte);
  const porFatura = groupBy(pagamentos, ({ fatura_id }) => fatura_id);
  return rows.map((row) => ({
    valor: lerDinheiro(row.valor),
    vencimento: row.vencimento as Data,
    aPagar: pedePagamentos(row) ? apurarDivida(row, porFatura.get(row.id) ?? [], provedor, dia).total : null,
    txid: temTxidDoPsp(row) ? null : row.pix_txid,
  }));
}
