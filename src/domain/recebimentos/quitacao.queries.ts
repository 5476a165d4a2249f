import { escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import type { Juizo } from './quitacao.regras.ts';
import { COLUNAS_DA_FATURA, COLUNAS_DO_PAGAMENTO, LANCAMENTOS } from './recebimentos.types.ts';
import type { Alvo, FaturaTravadaRow, PagamentoJulgado } from './recebimentos.types.ts';

interface ContratoTravadoRow extends ContratoALiberar {
  situacao: string;
  bloqueio_origem: string | null;
}

/** What payments make of an invoice. */
export function createQuitacaoQueries(w: Write) {
  return {
    /**
     * What a payment of an invoice may release: contracts that billing has blocked, its own and its client's. Locked are also those that
     * are not blocked: the end of a trust unblock could block one before the invoice is locked, by a debt that is being paid.
     */
    async travarBloqueados(fatura: Alvo): Promise<ContratoALiberar[]> {
      const travar = async (quais: { cliente_id: number } | { id: number }): Promise<ContratoTravadoRow[]> =>
        w
          .from('contratos')
          .where(quais)
          .orderBy('id')
          .forUpdate()
          .select<ContratoTravadoRow[]>('id', 'cliente_id', 'situacao', 'bloqueio_origem');
      const contratos = await travar({ cliente_id: fatura.cliente_id });
      const { contrato_id: id } = fatura;
      // Nothing keeps an invoice from being of another client's contract.
      if (id !== null && !contratos.some((contrato) => contrato.id === id)) contratos.push(...(await travar({ id })));
      return contratos.filter(
        ({ situacao, bloqueio_origem }) => situacao === 'bloqueado' && bloqueio_origem === 'financeiro',
      );
    },

    /** The invoice, locked until the transaction ends. */
    async travarFatura(id: number): Promise<FaturaTravadaRow | undefined> {
      const [row] = await w
        .from('faturas')
        .where('id', id)
        .forUpdate()
        .select<FaturaTravadaRow[]>([...COLUNAS_DA_FATURA]);
      return row;
    },

    /** The PIX of an invoice, in no order. */
    async pagamentosDe(faturaId: number): Promise<PagamentoJulgado[]> {
      return w
        .from('pix_recebidos')
        .where('fatura_id', faturaId)
        .select<PagamentoJulgado[]>([...COLUNAS_DO_PAGAMENTO]);
    },

    /** Writes the txid of PIX of an invoice that were kept without it, and not given to it by a person. */
    async darTxid(faturaId: number, txid: string): Promise<void> {
      const semTxid = { fatura_id: faturaId, txid: null, vinculado_em: null };
      await w.update('pix_recebidos', (q) => void q.where(semTxid), { txid });
    },

    /** Writes what an invoice was judged to be. */
    async gravarSituacao(fatura: FaturaTravadaRow, juizo: Juizo): Promise<void> {
      await w.update('faturas', (q) => void q.where('id', fatura.id), {
        situacao: juizo.situacao,
        valor_pago: escreverDinheiro(juizo.valorPago),
        pago_em: juizo.pagoEm,
        reaberta_em: fatura.reaberta_em,
        // What the night stored was owed before this.
        valor_atualizado: null,
        apurada_em: null,
      });
    },

    /** Writes what a judgement books beside the payments, where that is not written yet. */
    async gravarLancamentos(
      faturaId: number,
      juizo: Pick<Juizo, (typeof LANCAMENTOS)[number]>,
      agora: Date,
    ): Promise<void> {
      const lancados = await w
        .from('faturas_lancamentos')
        .where('fatura_id', faturaId)
        .select<{ id: number; tipo: string; valor: string }[]>('id', 'tipo', 'valor');
      for (const tipo of LANCAMENTOS) {
        const lancado = lancados.find((lancamento) => lancamento.tipo === tipo);
        if (juizo[tipo] === (lancado === undefined ? 0 : lerDinheiro(lancado.valor))) continue;
        const valor = escreverDinheiro(juizo[tipo]);
        if (lancado !== undefined) {
          await w.update('faturas_lancamentos', (q) => void q.where('id', lancado.id), { valor });
        } else {
          await w.insert('faturas_lancamentos', {
            fatura_id: faturaId,
            tipo,
            valor,
            criado_em: toDatabaseTime(agora),
          });
        }
      }
    },
  };
}
