import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { EnderecoRow } from '../enderecos/enderecos.types.ts';
import { COLUNAS_DE_COBRANCA } from './cobrancas.types.ts';
import type { CobrancaRow } from './cobrancas.types.ts';

export interface PagadorRow extends EnderecoRow {
  nome: string;
  cpf_cnpj: string;
}

export interface ParcelaRow extends CobrancaRow {
  /** Of how many the carnê is. */
  parcelas: number;
}

export function createCobrancasQueries(tenant: TenantDb) {
  return {
    async buscarPagador(clienteId: number): Promise<PagadorRow | undefined> {
      const [row] = await tenant
        .from('clientes')
        .where('clientes.id', clienteId)
        .select<PagadorRow[]>('nome', 'cpf_cnpj', ...COLUNAS_DE_ENDERECO);
      return row;
    },

    /** What is still open of a carnê and has a boleto, in its order. */
    async listarParcelas(carneId: number): Promise<ParcelaRow[]> {
      return tenant
        .from('faturas')
        .join('carnes', sameTenant('faturas', 'carne_id', 'carnes', 'id'))
        .where('faturas.carne_id', carneId)
        .where('faturas.grupo', 'aberta')
        .whereNotNull('faturas.codigo_barras')
        .orderBy('faturas.parcela')
        .select(COLUNAS_DE_COBRANCA)
        .select<ParcelaRow[]>('carnes.parcelas');
    },
  };
}
