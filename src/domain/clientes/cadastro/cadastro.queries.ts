import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DO_CLIENTE_TRAVADO } from './cadastro.types.ts';
import type { ClienteTravadoRow, TelefoneRow } from './cadastro.types.ts';

/** A contract that is about to be cancelled. */
export interface ContratoACancelarRow {
  id: number;
  cliente_id: number;
  situacao: SituacaoContrato;
  login: string | null;
}

const DO_TELEFONE = columns<TelefoneRow>('clientes_telefones', { id: true, numero: true });
const DOCUMENTO = columns<{ cpf_cnpj: string }>('clientes', { cpf_cnpj: true });
const DO_CONTRATO = columns<ContratoACancelarRow>('contratos', {
  id: true,
  cliente_id: true,
  situacao: true,
  login: true,
});

export function createCadastroQueries(w: Write) {
  return {
    /** The client's tax id, without a lock: it has to be locked before the client. */
    async documentoDe(id: number): Promise<string | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('id', id), DOCUMENTO);
      return row?.cpf_cnpj;
    },

    /** The client, locked until the transaction ends. */
    async travar(id: number): Promise<ClienteTravadoRow | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('clientes.id', id).forUpdate(), COLUNAS_DO_CLIENTE_TRAVADO);
      return row;
    },

    /** Phones of a locked client, in their order. */
    telefones: async (clienteId: number): Promise<TelefoneRow[]> =>
      rowsOf(w.from('clientes_telefones').where('cliente_id', clienteId).orderBy('id'), DO_TELEFONE),

    async tirarTelefones(ids: readonly number[]): Promise<void> {
      if (ids.length > 0) await w.delete('clientes_telefones', (q) => void q.whereIn('id', ids));
    },

    /** Always another version, also where only what belongs to the client changed. */
    async mudar(id: number, colunas: Partial<ClienteTravadoRow>): Promise<void> {
      const atualizado_em = w.tenant.db.fn.now(3);
      await w.update('clientes', (q) => void q.where('id', id), { ...colunas, atualizado_em });
    },

    /** Contracts of a client that are not cancelled, locked until the transaction ends. */
    travarContratos: async (clienteId: number): Promise<ContratoACancelarRow[]> =>
      rowsOf(
        w
          .from('contratos')
          .where('cliente_id', clienteId)
          .whereNotIn('situacao', SITUACOES_DE_CANCELADO)
          .orderBy('id')
          .forUpdate(),
        DO_CONTRATO,
      ),
  };
}
