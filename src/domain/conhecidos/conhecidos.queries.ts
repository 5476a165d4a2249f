import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

interface PessoaRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  cpf_cnpj: string;
  email: string | null;
  data_nascimento: string | null;
  cep: string | null;
  logradouro: string | null;
}

const DA_PESSOA = columns<PessoaRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  cpf_cnpj: true,
  email: true,
  data_nascimento: true,
  cep: true,
  logradouro: true,
});

interface DoContratoRow {
  cliente_id: number;
  login: string | null;
  mac: string | null;
  ip: string | null;
  cep: string | null;
  logradouro: string | null;
}

const DO_CONTRATO = columns<DoContratoRow>('contratos', {
  cliente_id: true,
  login: true,
  mac: true,
  ip: true,
  cep: true,
  logradouro: true,
});

const DO_TELEFONE = columns<{ cliente_id: number; numero: string }>('clientes_telefones', {
  cliente_id: true,
  numero: true,
});

const DONO = {
  clientes: columns<{ cliente_id: number }>('clientes', { cliente_id: 'clientes.id' }),
  contratos: columns<{ cliente_id: number }>('contratos', { cliente_id: true }),
  faturas: columns<{ cliente_id: number }>('faturas', { cliente_id: true }),
  chamados: columns<{ cliente_id: number }>('chamados', { cliente_id: true }),
};

/** What a client is found by. */
export type Registro = keyof typeof DONO;

export function createConhecidosQueries(tenant: TenantDb) {
  return {
    pessoas: async (ids: readonly number[]) => rowsOf(tenant.from('clientes').whereIn('clientes.id', ids), DA_PESSOA),

    telefones: async (ids: readonly number[]) =>
      rowsOf(tenant.from('clientes_telefones').whereIn('cliente_id', ids), DO_TELEFONE),

    contratos: async (ids: readonly number[]) =>
      rowsOf(tenant.from('contratos').whereIn('contratos.cliente_id', ids), DO_CONTRATO),

    /** The clients of records, of those that there are. */
    async donos(registro: Registro, ids: readonly number[]): Promise<number[]> {
      const rows = await rowsOf(tenant.from(registro).whereIn(`${registro}.id`, ids), DONO[registro]);
      return rows.map(({ cliente_id }) => cliente_id);
    },
  };
}
