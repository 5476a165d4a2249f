import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DO_MANUAL } from './manuais.types.ts';
import type { ManualRow } from './manuais.types.ts';

export function createManuaisQueries(w: Write) {
  return {
    async buscar(quem: { id: number } | { chave: string }): Promise<ManualRow | undefined> {
      const [row] = await rowsOf(w.from('recebimentos_manuais').where(quem), COLUNAS_DO_MANUAL);
      return row;
    },

    /** The same, locked until the transaction ends. */
    async travar(id: number): Promise<ManualRow | undefined> {
      const [row] = await rowsOf(w.from('recebimentos_manuais').where('id', id).forUpdate(), COLUNAS_DO_MANUAL);
      return row;
    },

    async inserir(
      linha: Omit<ManualRow, 'id' | 'devolvido' | 'autor' | 'desfeito_em' | 'desfeito_motivo'>,
    ): Promise<number> {
      return w.insert('recebimentos_manuais', { ...linha, autor: w.author.name }, { soughtBefore: true });
    },

    async desfazer(id: number, motivo: string, agora: string): Promise<void> {
      await w.update('recebimentos_manuais', (q) => void q.where('id', id), {
        desfeito_em: agora,
        desfeito_por: w.author.name,
        desfeito_motivo: motivo,
      });
    },
  };
}
