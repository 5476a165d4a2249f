import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import { DO_ENDERECO } from '../../enderecos/enderecos.types.ts';
import type { EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { TipoDeItem } from '../../faturamento/faturamento.types.ts';
import { COLUNAS_DA_FATURA } from '../../faturas/faturas.types.ts';
import type { FaturaRow } from '../../faturas/faturas.types.ts';
import type { CobrancaRow } from './partes.regras.ts';

interface ClienteRow extends EnderecoRow {
  id: number;
  nome: string;
  tipo: 'pf' | 'pj';
  cpf_cnpj: string | null;
  email: string | null;
  apagado_em: string | null;
}

const DO_CLIENTE = columns<ClienteRow>('clientes', {
  ...DO_ENDERECO,
  id: true,
  nome: true,
  tipo: true,
  cpf_cnpj: true,
  email: true,
  apagado_em: true,
});

interface ContratoRow extends EnderecoRow {
  id: number;
  cliente_id: number;
  plano_id: number;
  situacao: SituacaoContrato;
  valor: string;
  ativado_em: string | null;
  criado_em: string;
}

const DO_CONTRATO = columns<ContratoRow>('contratos', {
  ...DO_ENDERECO,
  id: true,
  cliente_id: true,
  plano_id: true,
  situacao: true,
  valor: true,
  ativado_em: true,
  criado_em: true,
});

/** An invoice as notes are built from it. */
export interface FaturaFiscalRow extends FaturaRow {
  /** The month that it bills, by its first day; null where that is not known. */
  competencia: string | null;
}

const DA_FATURA = columns<FaturaFiscalRow>('faturas', { ...COLUNAS_DA_FATURA.of, competencia: true });

const DA_COBRANCA = columns<CobrancaRow>('faturamento_cobrancas', {
  fatura_id: true,
  contrato_id: true,
  valor: true,
  itens: true,
});
interface ItemRow {
  id: number;
  tipo: TipoDeItem;
  valor: string;
}

const DO_ITEM = columns<ItemRow>('contratos_itens', { id: true, tipo: true, valor: true });

const DO_TELEFONE = columns<{ cliente_id: number; numero: string }>('clientes_telefones', {
  cliente_id: true,
  numero: true,
});

interface DescontoRow {
  fatura_id: number;
  valor: string;
}

const DO_DESCONTO = columns<DescontoRow>('faturas_ajustes', { fatura_id: true, valor: true });
const DA_IMPORTADA = columns<{ fatura_id: number }>('importacao_linhas', { fatura_id: true });
const DO_ACORDO = columns<{ fatura_id: number }>('renegociacoes_faturas', { fatura_id: true });

/** What notes are built from, of many invoices at a time: a statement for each kind of row. */
export function createMontagemQueries(tenant: TenantDb) {
  return {
    faturas: async (ids: readonly number[]): Promise<FaturaFiscalRow[]> =>
      rowsOf(tenant.from('faturas').whereIn('faturas.id', [...ids]), DA_FATURA),

    /** The charges that invoices were made of; none of those that were not billed here. */
    cobrancas: async (faturaIds: readonly number[]): Promise<CobrancaRow[]> =>
      faturaIds.length === 0
        ? []
        : rowsOf(
            tenant.from('faturamento_cobrancas', 'faturamento_cobrancas_fatura').whereIn('fatura_id', [...faturaIds]),
            DA_COBRANCA,
          ),

    /** Which kind items of contracts are, and their whole prices, those that were removed among them. */
    itens: async (ids: readonly number[]): Promise<ItemRow[]> =>
      ids.length === 0 ? [] : rowsOf(tenant.from('contratos_itens').whereIn('id', [...ids]), DO_ITEM),

    clientes: async (ids: readonly number[]): Promise<ClienteRow[]> =>
      rowsOf(tenant.from('clientes').whereIn('clientes.id', [...ids]), DO_CLIENTE),

    /** Contracts by their own ids, and all of some clients. */
    contratos: async (ids: readonly number[], clienteIds: readonly number[]): Promise<ContratoRow[]> => {
      const deles = tenant
        .from('contratos')
        .where((q) => void q.whereIn('contratos.id', [...ids]).orWhereIn('contratos.cliente_id', [...clienteIds]));
      return rowsOf(deles.orderBy('contratos.id'), DO_CONTRATO);
    },

    telefones: async (clienteIds: readonly number[]): Promise<{ cliente_id: number; numero: string }[]> =>
      rowsOf(
        tenant
          .from('clientes_telefones')
          .whereIn('cliente_id', [...clienteIds])
          .orderBy('id', 'desc'),
        DO_TELEFONE,
      ),

    /** Discounts in force: they lower the price. A credit is the client's own money, and an agreement's is of another invoice. */
    descontos: async (faturaIds: readonly number[]): Promise<DescontoRow[]> => {
      const deles = tenant
        .from('faturas_ajustes')
        .whereIn('fatura_id', [...faturaIds])
        .where('tipo', 'desconto');
      return rowsOf(deles.whereNull('desfeito_em'), DO_DESCONTO);
    },

    /** Those of some invoices that an import brought. */
    importadas: async (faturaIds: readonly number[]): Promise<number[]> => {
      const delas = tenant
        .from('importacao_linhas')
        .whereIn('fatura_id', [...faturaIds])
        .where('situacao', 'gravada');
      return (await rowsOf(delas, DA_IMPORTADA)).map(({ fatura_id }) => fatura_id);
    },

    /** Those of some invoices that are instalments of an agreement. */
    deAcordo: async (faturaIds: readonly number[]): Promise<number[]> => {
      const delas = tenant
        .from('renegociacoes_faturas')
        .whereIn('fatura_id', [...faturaIds])
        .where('papel', 'parcela');
      return (await rowsOf(delas, DO_ACORDO)).map(({ fatura_id }) => fatura_id);
    },
  };
}

export type { ClienteRow, ContratoRow };
