import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DO_ALVO } from '../recebimentos.types.ts';
import type { Alvo } from '../recebimentos.types.ts';
import { COLUNAS_DO_BOLETO } from './boletos.types.ts';
import type { BoletoPago, BoletoRecebidoRow } from './boletos.types.ts';

/** Money that came by boleto, as it is told and kept. */
export function createBoletosQueries(w: Write) {
  return {
    /** Those of some keys, without a lock. */
    async porChave(chaves: readonly string[]): Promise<ReadonlyMap<string, BoletoRecebidoRow>> {
      const rows = await rowsOf(w.from('boletos_recebidos').whereIn('chave', chaves), COLUNAS_DO_BOLETO);
      return new Map(rows.map((row) => [row.chave, row]));
    },

    async buscar(id: number): Promise<BoletoRecebidoRow | undefined> {
      const [row] = await rowsOf(w.from('boletos_recebidos').where('id', id), COLUNAS_DO_BOLETO);
      return row;
    },

    /** Some of them, by id, locked until the transaction ends. */
    async travar(ids: readonly number[]): Promise<BoletoRecebidoRow[]> {
      return rowsOf(w.from('boletos_recebidos').whereIn('id', ids).orderBy('id').forUpdate(), COLUNAS_DO_BOLETO);
    },

    /** Whose some invoices are, without a lock; those that the provider has. */
    async alvos(ids: readonly number[]): Promise<Alvo[]> {
      return ids.length === 0 ? [] : rowsOf(w.from('faturas').whereIn('id', ids), COLUNAS_DO_ALVO);
    },

    /** @param linhas each with the instant from which it counts. */
    async inserir(linhas: readonly (BoletoPago & { readonly conta: Date })[], agora: Date): Promise<void> {
      await w.insert(
        'boletos_recebidos',
        linhas.map((um) => ({
          fatura_id: um.faturaId,
          cobrador_id: um.cobradorId,
          chave: um.chave,
          nosso_numero: um.nossoNumero,
          valor: escreverDinheiro(um.valor),
          tarifa: escreverDinheiro(um.tarifa),
          pago_no_dia: um.pagoEm,
          creditado_em: um.creditadoEm,
          pago_em: toDatabaseTime(um.conta),
          arquivo_id: um.arquivoId,
          linha: um.linha,
          criado_em: toDatabaseTime(agora),
        })),
        { soughtBefore: true },
      );
    },

    /** Says which invoice the money is of, by a person's word, or that it is of none. */
    async identificar(id: number, faturaId: number | null, vinculadoEm: Date | null): Promise<void> {
      await w.update('boletos_recebidos', (q) => void q.where('id', id), {
        fatura_id: faturaId,
        vinculado_em: vinculadoEm === null ? null : toDatabaseTime(vinculadoEm),
      });
    },

    async desfazer(ids: readonly number[], agora: Date): Promise<void> {
      await w.update('boletos_recebidos', (q) => void q.whereIn('id', ids), { desfeito_em: toDatabaseTime(agora) });
    },
  };
}
