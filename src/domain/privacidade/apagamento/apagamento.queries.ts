import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { COLUNAS_DO_CONTRATO_DO_TITULAR, COLUNAS_DO_TITULAR, DOCUMENTO_REMOVIDO } from './apagamento.types.ts';
import type { ContratoDoTitularRow, TitularRow } from './apagamento.types.ts';

export function createApagamentoQueries(w: Write) {
  return {
    /** Without a lock: the tax id has to be locked before the client. */
    async buscar(id: number): Promise<TitularRow | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('clientes.id', id), COLUNAS_DO_TITULAR);
      return row;
    },

    /** The registration, locked until the transaction ends. */
    async travar(id: number): Promise<TitularRow | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('clientes.id', id).forUpdate(), COLUNAS_DO_TITULAR);
      return row;
    },

    /** All contracts of a client, locked until the transaction ends. */
    travarContratos: async (clienteId: number): Promise<ContratoDoTitularRow[]> =>
      rowsOf(
        w.from('contratos').where('cliente_id', clienteId).orderBy('contratos.id').forUpdate(),
        COLUNAS_DO_CONTRATO_DO_TITULAR,
      ),

    /** An invoice that is open, or in process at a bank. */
    async faturaDevida(clienteId: number): Promise<number | undefined> {
      const devidas = w.from('faturas').where('cliente_id', clienteId).whereIn('grupo', ['aberta', 'processando']);
      const [row] = await rowsOf(devidas.orderBy('id').limit(1), ID);
      return row?.id;
    },

    async chamadoAberto(clienteId: number): Promise<number | undefined> {
      const abertos = w.from('chamados').where({ cliente_id: clienteId, em_aberto: 1 });
      const [row] = await rowsOf(abertos.orderBy('id').limit(1), ID);
      return row?.id;
    },

    /** Other registrations of a tax id, oldest first. */
    async outrosCadastros(documento: string, menos: number): Promise<number[]> {
      if (documento === DOCUMENTO_REMOVIDO) return [];
      const outros = w.from('clientes').where('cpf_cnpj', documento).whereNot('id', menos);
      return (await rowsOf(outros.orderBy('id'), ID)).map(({ id }) => id);
    },

    async mudarCliente(id: number, colunas: Partial<TitularRow>): Promise<void> {
      await w.update('clientes', (q) => void q.where('id', id), colunas);
    },

    /** Names of contracts and invoices in another system, which lead to the person there. */
    async esquecerCodigos(clienteId: number): Promise<void> {
      for (const tabela of ['contratos', 'faturas']) {
        await w.update(tabela, (q) => void q.where('cliente_id', clienteId).whereNotNull('codigo_externo'), {
          codigo_externo: null,
        });
      }
    },

    /** The lock of a tax id is a row that names it. */
    async esquecerDocumento(documento: string): Promise<void> {
      await w.delete('app_documentos', (q) => void q.where('cpf_cnpj', documento));
    },
  };
}
