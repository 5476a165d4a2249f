import { lerDinheiro, escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { Acrescimo } from './avisos.regras.ts';
import { COLUNAS_DO_ALVO, COLUNAS_DO_RECEBIDO } from './recebimentos.types.ts';
import type { Alvo, Devolucao, PixRecebido, PixRecusado, RecebidoRow } from './recebimentos.types.ts';

interface DevolucaoRow {
  devolucao: string;
  valor: string;
  natureza: string | null;
}

const DA_DEVOLUCAO = columns<DevolucaoRow>('pix_devolucoes', { devolucao: true, valor: true, natureza: true });

const DA_COBRANCA = columns<{ fatura_id: number }>('psp_cobrancas', { fatura_id: true });

/** PIX as they are told and kept; what they make of invoices is in quitacao.queries.ts. */
export function createRecebimentosQueries(w: Write) {
  const buscarAlvo = async (coluna: 'id' | 'pix_txid', valor: number | string): Promise<Alvo | undefined> => {
    const [row] = await rowsOf(w.tenant.from('faturas').where(coluna, valor), COLUNAS_DO_ALVO);
    return row;
  };
  /** The invoice that has, or had, a charge of this txid at a PSP, or this txid before its charge: a code may be paid that is shown no more. */
  const buscarPelaCobranca = async (txid: string): Promise<Alvo | undefined> => {
    for (const coluna of ['txid', 'txid_anterior']) {
      const cobrancas = w.tenant.from('psp_cobrancas').where(coluna, txid).orderBy('id', 'desc').limit(1);
      const [row] = await rowsOf(cobrancas, DA_COBRANCA);
      if (row !== undefined) return buscarAlvo('id', row.fatura_id);
    }
    return undefined;
  };
  return {
    /** The invoice of an id, or of a txid, without a lock. */
    buscarFatura: async (id: number) => buscarAlvo('id', id),
    buscarFaturaPorTxid: async (txid: string | null) =>
      txid === null ? undefined : ((await buscarAlvo('pix_txid', txid)) ?? (await buscarPelaCobranca(txid))),

    async buscarRecebido(quem: { end_to_end_id: string } | { id: number }): Promise<RecebidoRow | undefined> {
      const [row] = await rowsOf(w.from('pix_recebidos').where(quem), COLUNAS_DO_RECEBIDO);
      return row;
    },

    /** The same, locked until the transaction ends. */
    async travarRecebido(quem: { end_to_end_id: string } | { id: number }): Promise<RecebidoRow | undefined> {
      const [row] = await rowsOf(w.from('pix_recebidos').where(quem).forUpdate(), COLUNAS_DO_RECEBIDO);
      return row;
    },

    async inserirRecebido(faturaId: number | null, pix: PixRecebido, agora: Date): Promise<number> {
      return w.insert(
        'pix_recebidos',
        {
          fatura_id: faturaId,
          end_to_end_id: pix.endToEndId,
          txid: pix.txid,
          valor: escreverDinheiro(pix.valor),
          pago_em: toDatabaseTime(pix.horario),
          criado_em: toDatabaseTime(agora),
        },
        { soughtBefore: true },
      );
    },

    /** Says which invoice a PIX is of, by its txid or, with an instant, by a person's word. */
    async identificar(
      id: number,
      faturaId: number | null,
      txid: string | null,
      vinculadoEm: Date | null,
    ): Promise<void> {
      await w.update('pix_recebidos', (q) => void q.where('id', id), {
        fatura_id: faturaId,
        txid,
        vinculado_em: vinculadoEm === null ? null : toDatabaseTime(vinculadoEm),
      });
    },

    async devolucoesConhecidas(recebidoId: number): Promise<Devolucao[]> {
      const rows = await rowsOf(w.from('pix_devolucoes').where('recebido_id', recebidoId), DA_DEVOLUCAO);
      return rows.map(({ devolucao, valor, natureza }) => ({ id: devolucao, valor: lerDinheiro(valor), natureza }));
    },

    async gravarDevolucoes(recebidoId: number, acrescimo: Acrescimo, agora: Date): Promise<void> {
      const { novas, nomeadas, devolvido, tomado } = acrescimo;
      if (novas.length > 0) {
        await w.insert(
          'pix_devolucoes',
          novas.map(({ id, valor, natureza }) => ({
            recebido_id: recebidoId,
            devolucao: id,
            valor: escreverDinheiro(valor),
            natureza,
            criado_em: toDatabaseTime(agora),
          })),
        );
      }
      for (const { id, natureza } of nomeadas) {
        await w.update('pix_devolucoes', (q) => void q.where({ recebido_id: recebidoId, devolucao: id }), { natureza });
      }
      const totais = { devolvido: escreverDinheiro(devolvido), tomado: escreverDinheiro(tomado) };
      if (novas.length + nomeadas.length > 0)
        await w.update('pix_recebidos', (q) => void q.where('id', recebidoId), totais);
    },

    /** Keeps what could not be taken; resolves to its id, or null where it was kept before. */
    async guardarRecusado(
      { falta, dito }: Pick<PixRecusado, 'falta' | 'dito'>,
      marca: Buffer,
      receptor: string,
      agora: Date,
    ): Promise<number | null> {
      const [sabido] = await rowsOf(w.from('pix_recusados').where({ marca }), ID);
      if (sabido !== undefined) return null;
      return w.insert(
        'pix_recusados',
        {
          marca,
          // Its place in the PSP's list says nothing afterwards.
          motivo: falta.replace(/^pix\/\d+\/?/, ''),
          dito: JSON.stringify(dito),
          receptor,
          criado_em: toDatabaseTime(agora),
        },
        { soughtBefore: true },
      );
    },
  };
}
