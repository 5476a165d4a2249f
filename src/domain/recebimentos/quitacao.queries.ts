import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import type { Juizo } from './quitacao.regras.ts';
import { COLUNAS_DA_TRAVADA, LANCAMENTOS } from './recebimentos.types.ts';
import type { Alvo, FaturaTravadaRow } from './recebimentos.types.ts';

interface ContratoTravadoRow extends ContratoALiberar {
  situacao: string;
  bloqueio_origem: string | null;
}

const DO_CONTRATO = columns<ContratoTravadoRow>('contratos', {
  id: true,
  cliente_id: true,
  situacao: true,
  bloqueio_origem: true,
});

interface LancamentoRow {
  id: number;
  tipo: string;
  valor: string;
  /** Of a surplus, what has become credit of other invoices. */
  usado: string;
}

const DO_LANCAMENTO = columns<LancamentoRow>('faturas_lancamentos', { id: true, tipo: true, valor: true, usado: true });

/** What payments make of an invoice. */
export function createQuitacaoQueries(w: Write) {
  return {
    /**
     * What a payment of an invoice may release: contracts that billing has blocked, its own and its client's. Locked are also those that
     * are not blocked: the end of a trust unblock could block one before the invoice is locked, by a debt that is being paid.
     */
    async travarBloqueados(fatura: Alvo): Promise<ContratoALiberar[]> {
      const travar = async (quais: { cliente_id: number } | { id: number }): Promise<ContratoTravadoRow[]> =>
        rowsOf(w.from('contratos').where(quais).orderBy('id').forUpdate(), DO_CONTRATO);
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
      const [row] = await rowsOf(w.from('faturas').where('id', id).forUpdate(), COLUNAS_DA_TRAVADA);
      return row;
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
        abatido: escreverDinheiro(juizo.abatido),
        pago_em: juizo.pagoEm,
        reaberta_em: fatura.reaberta_em,
        // What the night stored was owed before this.
        valor_atualizado: null,
        apurada_em: null,
      });
    },

    /**
     * Writes what a judgement books beside the payments, where that is not written yet.
     *
     * @returns how much of credits that were made of the surplus it no longer covers, by this judgement.
     */
    async gravarLancamentos(
      faturaId: number,
      juizo: Pick<Juizo, (typeof LANCAMENTOS)[number]>,
      agora: Date,
    ): Promise<Centavos> {
      let descoberto = centavos(0);
      const lancados = await rowsOf(w.from('faturas_lancamentos').where('fatura_id', faturaId), DO_LANCAMENTO);
      for (const tipo of LANCAMENTOS) {
        const lancado = lancados.find((lancamento) => lancamento.tipo === tipo);
        if (juizo[tipo] === (lancado === undefined ? 0 : lerDinheiro(lancado.valor))) continue;
        const valor = escreverDinheiro(juizo[tipo]);
        if (lancado !== undefined) {
          const falta = centavos(Math.max(0, lerDinheiro(lancado.usado) - juizo[tipo]));
          if (juizo[tipo] < lerDinheiro(lancado.valor)) descoberto = centavos(Math.max(descoberto, falta));
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
      return descoberto;
    },
  };
}
