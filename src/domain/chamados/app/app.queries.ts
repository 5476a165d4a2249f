import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { Write } from '../../escrita.ts';
import type { SituacaoChamado } from '../chamados.types.ts';

interface TravadoRow {
  cliente_id: number;
  situacao: SituacaoChamado;
  fechado_em: string | null;
}

const DO_CHAMADO = columns<TravadoRow>('chamados', { cliente_id: true, situacao: true, fechado_em: true });

interface ContratoRow {
  id: number;
  cliente_id: number;
  situacao: SituacaoContrato;
}

const DO_CONTRATO = columns<ContratoRow>('contratos', { id: true, cliente_id: true, situacao: true });

export function createChamadosDoAppQueries(w: Write) {
  return {
    contratosDe: async (clienteIds: readonly number[]): Promise<ContratoRow[]> =>
      rowsOf(
        w
          .from('contratos')
          .whereIn('contratos.cliente_id', [...clienteIds])
          .orderBy('contratos.id'),
        DO_CONTRATO,
      ),

    /** How many of the clients' tickets are open, counted up to a number. */
    async abertosDe(clienteIds: readonly number[], ate: number): Promise<number> {
      const abertos = w
        .from('chamados')
        .whereIn('cliente_id', [...clienteIds])
        .where('em_aberto', 1);
      return (await rowsOf(abertos.limit(ate), ID)).length;
    },

    /** The ticket, locked until the transaction ends. */
    async travarChamado(id: number): Promise<TravadoRow | undefined> {
      const [row] = await rowsOf(w.from('chamados').where('chamados.id', id).forUpdate(), DO_CHAMADO);
      return row;
    },
  };
}
