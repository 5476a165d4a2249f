import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { reservadoPorFatura } from '../../recebimentos/devolucoes/reservas.service.ts';
import { COLUNAS_DO_AJUSTE } from './ajustes.types.ts';
import type { AjusteRow } from './ajustes.types.ts';

interface ExcedenteRow {
  id: number;
  fatura_id: number;
  valor: string;
  usado: string;
}

const DO_EXCEDENTE = columns<ExcedenteRow>('faturas_lancamentos', {
  id: true,
  fatura_id: true,
  valor: true,
  usado: true,
});

export type NovoAjuste = Pick<AjusteRow, 'fatura_id' | 'tipo' | 'motivo' | 'origem_fatura_id' | 'renegociacao_id'> & {
  readonly valor: Centavos;
  readonly dado_em: string;
};

/** Adjustments of invoices, and the surplus that credits are made of. Who calls holds the locks of the invoices adjusted. */
export function createLivroDeAjustes(w: Write) {
  /** Surplus of some invoices, locked: credits of one surplus may be undone at other invoices at the same time. */
  async function travarExcedentes(faturaIds: readonly number[]): Promise<ExcedenteRow[]> {
    const deles = w.from('faturas_lancamentos').whereIn('fatura_id', faturaIds).where('tipo', 'excedente');
    return rowsOf(deles.orderBy('id').forUpdate(), DO_EXCEDENTE);
  }

  return {
    async buscar(id: number): Promise<AjusteRow | undefined> {
      const [row] = await rowsOf(w.from('faturas_ajustes').where('id', id), COLUNAS_DO_AJUSTE);
      return row;
    },

    /** The same, locked until the transaction ends. */
    async travar(id: number): Promise<AjusteRow | undefined> {
      const [row] = await rowsOf(w.from('faturas_ajustes').where('id', id).forUpdate(), COLUNAS_DO_AJUSTE);
      return row;
    },

    /** Those of some invoices that are in force. */
    async emVigor(faturaIds: readonly number[]): Promise<AjusteRow[]> {
      const deles = w.from('faturas_ajustes').whereIn('fatura_id', faturaIds).whereNull('desfeito_em');
      return rowsOf(deles.orderBy('id').forUpdate(), COLUNAS_DO_AJUSTE);
    },

    /** @returns the first one's id. */
    async inserir(ajustes: readonly NovoAjuste[], agora: Date): Promise<number> {
      const comum = { autor: w.author.name, criado_em: toDatabaseTime(agora) };
      return w.insert(
        'faturas_ajustes',
        ajustes.map((ajuste) => ({ ...ajuste, ...comum, valor: escreverDinheiro(ajuste.valor) })),
      );
    },

    async desfazer(ids: readonly number[], motivo: string, agora: Date): Promise<void> {
      await w.update('faturas_ajustes', (q) => void q.whereIn('id', ids), {
        desfeito_em: toDatabaseTime(agora),
        desfeito_por: w.author.name,
        desfeito_motivo: motivo,
      });
    },

    /** Writes what the adjustments in force of some invoices come to by now. */
    async reapurar(faturaIds: readonly number[]): Promise<void> {
      const deles = w.from('faturas_ajustes').whereIn('fatura_id', faturaIds).whereNull('desfeito_em');
      const porFatura = groupBy(await rowsOf(deles, COLUNAS_DO_AJUSTE), ({ fatura_id }) => fatura_id);
      const somas = faturaIds.map((id) =>
        somarDinheiro(...(porFatura.get(id) ?? []).map(({ valor }) => lerDinheiro(valor))),
      );
      await w.updateEach('faturas', faturaIds, { abatido: somas.map(escreverDinheiro) });
    },

    /** Makes of credits what an agreement did: the surplus that they were is counted where it was paid. */
    async tornarDaRenegociacao(ids: readonly number[], renegociacaoId: number): Promise<void> {
      await w.update('faturas_ajustes', (q) => void q.whereIn('id', ids), {
        tipo: 'renegociacao',
        origem_fatura_id: null,
        renegociacao_id: renegociacaoId,
      });
    },

    /** What of an invoice's surplus no credit was made of, and nobody has asked to give back; its row is locked. */
    async excedenteLivre(faturaId: number): Promise<Centavos> {
      const [row] = await travarExcedentes([faturaId]);
      if (row === undefined) return centavos(0);
      const reservado = (await reservadoPorFatura(w, [faturaId])).get(faturaId) ?? 0;
      return centavos(Math.max(0, lerDinheiro(row.valor) - lerDinheiro(row.usado) - reservado));
    },

    /** Takes of surplus what becomes credit, or, where it is negative, gives it back. */
    async usar(creditos: readonly { readonly origem: number; readonly valor: Centavos }[]): Promise<void> {
      if (creditos.length === 0) return;
      const porOrigem = groupBy(creditos, ({ origem }) => origem);
      const rows = await travarExcedentes([...porOrigem.keys()]);
      const usados = rows.map(({ fatura_id, usado }) => {
        const mudanca = somarDinheiro(...(porOrigem.get(fatura_id) ?? []).map(({ valor }) => valor));
        return escreverDinheiro(centavos(Math.max(0, lerDinheiro(usado) + mudanca)));
      });
      const ids = rows.map(({ id }) => id);
      await w.updateEach('faturas_lancamentos', ids, { usado: usados });
    },
  };
}

/** What credits that end give back to the surplus that they were. */
export function devolvidosDe(ajustes: readonly AjusteRow[]): { origem: number; valor: Centavos }[] {
  return ajustes.flatMap(({ origem_fatura_id: origem, valor }) =>
    origem === null ? [] : [{ origem, valor: centavos(0 - lerDinheiro(valor)) }],
  );
}
