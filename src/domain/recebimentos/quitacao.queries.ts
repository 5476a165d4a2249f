import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { ContratoAMover } from '../contratos/movimentos/movimentos.service.ts';
import { donosDosContratos, travarClientes } from '../contratos/movimentos/travas.service.ts';
import type { Juizo } from './quitacao.regras.ts';
import { COLUNAS_DA_TRAVADA, LANCAMENTOS } from './recebimentos.types.ts';
import type { Alvo, FaturaTravadaRow } from './recebimentos.types.ts';

interface ContratoTravadoRow extends ContratoAMover {
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
  fatura_id: number;
  tipo: string;
  valor: string;
  /** Of a surplus, what has become credit of other invoices. */
  usado: string;
}

const DO_LANCAMENTO = columns<LancamentoRow>('faturas_lancamentos', {
  id: true,
  fatura_id: true,
  tipo: true,
  valor: true,
  usado: true,
});

const DO_CREDITO = columns<{ fatura_id: number }>('faturas_ajustes', { fatura_id: true });

/** What payments make of an invoice. */
export function createQuitacaoQueries(w: Write) {
  return {
    /**
     * What a payment of an invoice may release: contracts that billing has blocked, its own and its client's. Locked are also those that
     * are not blocked: the end of a trust unblock could block one before the invoice is locked, by a debt that is being paid. Before the
     * contracts come their clients, whose state follows from theirs.
     */
    async travarBloqueados(fatura: Alvo): Promise<ContratoAMover[]> {
      const travar = async (quais: { cliente_id: number } | { id: number }): Promise<ContratoTravadoRow[]> =>
        rowsOf(w.from('contratos').where(quais).orderBy('id').forUpdate(), DO_CONTRATO);
      const { contrato_id: id } = fatura;
      const donos = id === null ? [] : await donosDosContratos(w, [id]);
      await travarClientes(w, [fatura.cliente_id, ...donos]);
      const contratos = await travar({ cliente_id: fatura.cliente_id });
      // Nothing keeps an invoice from being of another client's contract.
      if (id !== null && !contratos.some((contrato) => contrato.id === id)) contratos.push(...(await travar({ id })));
      return contratos.filter(
        ({ situacao, bloqueio_origem }) => situacao === 'bloqueado' && bloqueio_origem === 'financeiro',
      );
    },

    /** The same of several invoices, in statements that do not grow with them: all those that payments of them may release. */
    async travarBloqueadosDeTodas(faturas: readonly Alvo[]): Promise<ContratoAMover[]> {
      const proprios = [...new Set(faturas.flatMap(({ contrato_id: id }) => id ?? []))];
      const clientes = [...new Set(faturas.map(({ cliente_id }) => cliente_id))];
      await travarClientes(w, [...clientes, ...(await donosDosContratos(w, proprios))]);
      const travar = async (coluna: 'cliente_id' | 'id', ids: readonly number[]): Promise<ContratoTravadoRow[]> =>
        ids.length === 0 ? [] : rowsOf(w.from('contratos').whereIn(coluna, ids).orderBy('id').forUpdate(), DO_CONTRATO);
      const contratos = await travar('cliente_id', clientes);
      const travados = new Set(contratos.map(({ id }) => id));
      contratos.push(
        ...(await travar(
          'id',
          proprios.filter((id) => !travados.has(id)),
        )),
      );
      return contratos.filter(
        ({ situacao, bloqueio_origem }) => situacao === 'bloqueado' && bloqueio_origem === 'financeiro',
      );
    },

    /** Invoices, by id, locked until the transaction ends. */
    async travarFaturas(ids: readonly number[]): Promise<FaturaTravadaRow[]> {
      return rowsOf(w.from('faturas').whereIn('id', ids).orderBy('id').forUpdate(), COLUNAS_DA_TRAVADA);
    },

    /** Writes the txid of PIX of an invoice that were kept without it, and not given to it by a person. */
    async darTxid(faturaId: number, txid: string): Promise<void> {
      const semTxid = { fatura_id: faturaId, txid: null, vinculado_em: null };
      await w.update('pix_recebidos', (q) => void q.where(semTxid), { txid });
    },

    /** Writes what an invoice was judged to be; of one that is no longer cancelled, nothing tells why it had been. */
    async gravarSituacao(fatura: FaturaTravadaRow, juizo: Juizo): Promise<void> {
      const voltou = fatura.situacao === 'cancelada' && juizo.situacao !== 'cancelada';
      await w.update('faturas', (q) => void q.where('id', fatura.id), {
        situacao: juizo.situacao,
        valor_pago: escreverDinheiro(juizo.valorPago),
        abatido: escreverDinheiro(juizo.abatido),
        pago_em: juizo.pagoEm,
        reaberta_em: fatura.reaberta_em,
        ...(voltou ? { cancelada_em: null, motivo: null, motivo_codigo: null } : {}),
        // What the night stored was owed before this.
        valor_atualizado: null,
        apurada_em: null,
      });
    },

    /** The same of several, in one statement. */
    async gravarSituacoes(juizos: ReadonlyMap<number, Juizo>): Promise<void> {
      const todos = [...juizos.values()];
      await w.updateEach('faturas', [...juizos.keys()], {
        situacao: todos.map(({ situacao }) => situacao),
        valor_pago: todos.map(({ valorPago }) => escreverDinheiro(valorPago)),
        abatido: todos.map(({ abatido }) => escreverDinheiro(abatido)),
        pago_em: todos.map(({ pagoEm }) => pagoEm),
        valor_atualizado: null,
        apurada_em: null,
      });
    },

    /** Of invoices that are no longer cancelled, nothing tells why they had been. */
    async esquecerCancelamento(ids: readonly number[]): Promise<void> {
      const nada = { cancelada_em: null, motivo: null, motivo_codigo: null };
      await w.update('faturas', (q) => void q.whereIn('id', ids), nada);
    },

    /** An invoice that has a credit of some invoice's surplus: the one that was given last. */
    async comCreditoDe(faturaId: number): Promise<number | undefined> {
      const creditos = w.from('faturas_ajustes').where('origem_fatura_id', faturaId).whereNull('desfeito_em');
      const [row] = await rowsOf(creditos.orderBy('id', 'desc').limit(1), DO_CREDITO);
      return row?.fatura_id;
    },

    /**
     * Writes what judgements of some invoices book beside their payments, where that is not written yet.
     *
     * @returns by invoice, how much of credits that were made of its surplus the surplus no longer covers, by this judgement.
     */
    async gravarLancamentos(
      juizos: ReadonlyMap<number, Pick<Juizo, (typeof LANCAMENTOS)[number]>>,
      agora: Date,
    ): Promise<Map<number, Centavos>> {
      const descobertos = new Map<number, Centavos>();
      const daFatura = w.from('faturas_lancamentos').whereIn('fatura_id', [...juizos.keys()]);
      const lancados = groupBy(await rowsOf(daFatura, DO_LANCAMENTO), ({ fatura_id }) => fatura_id);
      const mudados: { readonly id: number; readonly valor: string }[] = [];
      const novos: object[] = [];
      for (const [fatura_id, juizo] of juizos) {
        for (const tipo of LANCAMENTOS) {
          const lancado = lancados.get(fatura_id)?.find((um) => um.tipo === tipo);
          if (juizo[tipo] === lerDinheiro(lancado?.valor ?? '0.00')) continue;
          const valor = escreverDinheiro(juizo[tipo]);
          if (lancado === undefined) novos.push({ fatura_id, tipo, valor, criado_em: toDatabaseTime(agora) });
          else mudados.push({ id: lancado.id, valor });
          const falta = centavos(lerDinheiro(lancado?.usado ?? '0.00') - juizo[tipo]);
          if (falta > 0 && juizo[tipo] < lerDinheiro(lancado?.valor ?? '0.00')) descobertos.set(fatura_id, falta);
        }
      }
      if (novos.length > 0) await w.insert('faturas_lancamentos', novos);
      if (mudados.length > 0) {
        const ids = mudados.map(({ id }) => id);
        await w.updateEach('faturas_lancamentos', ids, { valor: mudados.map(({ valor }) => valor) });
      }
      return descobertos;
    },
  };
}
