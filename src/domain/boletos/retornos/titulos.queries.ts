import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DO_BOLETO } from '../boletos.types.ts';
import type { BoletoRow } from '../boletos.types.ts';

/** A title with what its invoice is. */
export interface TituloRow extends BoletoRow {
  cliente_id: number;
  grupo: string;
  fatura_valor: string;
  valor_pago: string;
  abatido: string;
  pix_txid: string | null;
  pix_copia_cola: string | null;
}

const TITULO = columns<TituloRow>('boletos', {
  ...COLUNAS_DO_BOLETO.of,
  cliente_id: 'f.cliente_id',
  grupo: 'f.grupo',
  fatura_valor: 'f.valor',
  valor_pago: 'f.valor_pago',
  abatido: 'f.abatido',
  pix_txid: 'f.pix_txid',
  pix_copia_cola: 'f.pix_copia_cola',
});

export interface InstrucaoRow {
  id: number;
  boleto_id: number;
  movimento: 'baixa' | 'vencimento' | 'valor';
  vencimento: string | null;
  valor: string | null;
}

const INSTRUCAO = columns<InstrucaoRow>('boletos_instrucoes', {
  id: true,
  boleto_id: true,
  movimento: true,
  vencimento: true,
  valor: true,
});

interface LiquidacaoRow {
  id: number;
  nosso_numero: string;
  chave: string;
  valor: string;
  pago_no_dia: string;
  arquivo_id: number | null;
  linha: number;
  desfeito_em: string | null;
  desfeito_por: string | null;
}

const LIQUIDACAO = columns<LiquidacaoRow>('boletos_recebidos', {
  id: true,
  nosso_numero: true,
  chave: true,
  valor: true,
  pago_no_dia: true,
  arquivo_id: true,
  linha: true,
  desfeito_em: true,
  desfeito_por: true,
});

interface ADesfazerRow {
  numero: string;
  movimento: string;
  valor: string;
  dia: string | null;
}

const A_DESFAZER = columns<ADesfazerRow>('l', { numero: true, movimento: true, valor: true, dia: true });

/** What a part of a bank's file is about. */
export function createTitulosDoRetornoQueries(w: Write, convenioId: number) {
  const comFatura = () =>
    w
      .from('boletos')
      .join('faturas as f', sameTenant('boletos', 'fatura_id', 'f', 'id'))
      .where('boletos.convenio_id', convenioId);

  return {
    /** Of these numbers, or, where the bank numbers, of these ids without a number yet. */
    async titulos(numeros: readonly string[], ids: readonly number[]): Promise<TituloRow[]> {
      const porNumero =
        numeros.length === 0 ? [] : await rowsOf(comFatura().whereIn('boletos.numero', numeros), TITULO);
      const semNumero =
        ids.length === 0
          ? []
          : await rowsOf(comFatura().whereIn('boletos.id', ids).whereNull('boletos.numero'), TITULO);
      return [...porNumero, ...semNumero];
    },

    async pedidas(boletoIds: readonly number[]): Promise<InstrucaoRow[]> {
      if (boletoIds.length === 0) return [];
      return rowsOf(w.from('boletos_instrucoes').whereIn('boleto_id', boletoIds).where('pendente', 1), INSTRUCAO);
    },

    /** Settlements of numbers, also of those that were undone, the last one of each first. */
    async liquidacoes(cobradorId: number, numeros: readonly string[]): Promise<LiquidacaoRow[]> {
      if (numeros.length === 0) return [];
      const ditas = w.from('boletos_recebidos').where('cobrador_id', cobradorId).whereIn('nosso_numero', numeros);
      return rowsOf(ditas.orderBy('id', 'desc'), LIQUIDACAO);
    },

    /**
     * What other files since an instant said was undone of numbers, where nobody had told that it was paid; in the order of telling. What the
     * same file says after an undoing is a payment that came after it.
     */
    async aDesfazer(numeros: readonly string[], desde: Date, esteArquivo: number): Promise<ADesfazerRow[]> {
      if (numeros.length === 0) return [];
      const ditas = w
        .from('retornos as r')
        .join('retornos_linhas as l', sameTenant('r', 'id', 'l', 'retorno_id'))
        .where('r.convenio_id', convenioId)
        .whereNot('r.id', esteArquivo)
        .where('r.recebido_em', '>=', toDatabaseTime(desde))
        .where('l.resultado', 'a_desfazer')
        .whereIn('l.numero', numeros);
      return rowsOf(ditas.orderBy('l.id'), A_DESFAZER);
    },

    /** Those of some invoices that have a title that is alive. */
    async comVivo(faturaIds: readonly number[]): Promise<Set<number>> {
      if (faturaIds.length === 0) return new Set();
      const vivos = w.from('boletos').whereIn('fatura_id', faturaIds).where('vivo', 1);
      return new Set((await rowsOf(vivos, VIVO)).map(({ fatura_id }) => fatura_id));
    },
  };
}

const VIVO = columns<{ fatura_id: number }>('boletos', { fatura_id: true });
