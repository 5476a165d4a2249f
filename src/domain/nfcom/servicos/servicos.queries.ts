import type { IbsCbsDoItem, TributosDoItem } from '../../../brazil/nfcom/base/tributos.types.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ClienteFiscal, DonoDoPreco } from './servicos.types.ts';

export interface ServicoRow {
  id: number;
  codigo: string;
  descricao: string;
  classe: string;
  cfop: string | null;
  unidade: number;
  grupo_id: number;
  atualizado_em: string;
}

const DO_SERVICO = columns<ServicoRow>('nfcom_servicos', {
  id: true,
  codigo: true,
  descricao: true,
  classe: true,
  cfop: true,
  unidade: true,
  grupo_id: true,
  atualizado_em: true,
});

export interface GrupoRow {
  id: number;
  nome: string;
  tributos: string | TributosDoItem;
  ibs_cbs: string | IbsCbsDoItem | null;
  atualizado_em: string;
}

const DO_GRUPO = columns<GrupoRow>('nfcom_grupos', {
  id: true,
  nome: true,
  tributos: true,
  ibs_cbs: true,
  atualizado_em: true,
});

export interface ParteRow {
  dono: string;
  servico_id: number;
  descricao: string | null;
  percentual: string | null;
  valor: string | null;
}

const DA_PARTE = columns<ParteRow>('nfcom_partes', {
  dono: true,
  servico_id: true,
  descricao: true,
  percentual: true,
  valor: true,
});

export interface ClienteFiscalRow {
  cliente_id: number;
  indicador_ie: number;
  inscricao_estadual: string | null;
  inscricao_municipal: string | null;
  tipo_assinante: number | null;
  municipio_codigo: string | null;
  retencoes: string | NonNullable<ClienteFiscal['retencoes']> | null;
}

const DO_CLIENTE = columns<ClienteFiscalRow>('nfcom_clientes', {
  cliente_id: true,
  indicador_ie: true,
  inscricao_estadual: true,
  inscricao_municipal: true,
  tipo_assinante: true,
  municipio_codigo: true,
  retencoes: true,
});

export interface MunicipioRow {
  uf: string;
  cidade: string;
  codigo: string;
}

const DO_MUNICIPIO = columns<MunicipioRow>('nfcom_municipios', { uf: true, cidade: true, codigo: true });

export const nomeDoDono = (dono: DonoDoPreco): string => ('id' in dono ? `${dono.de}:${dono.id}` : dono.de);

/** Services and taxes of a provider: few rows, read whole. Those that were removed serve what has them already. */
export function createServicosQueries(tenant: Pick<TenantDb, 'from'>) {
  return {
    servicos: async (): Promise<ServicoRow[]> =>
      rowsOf(tenant.from('nfcom_servicos').whereNull('removido_em').orderBy('id'), DO_SERVICO),

    grupos: async (): Promise<GrupoRow[]> =>
      rowsOf(tenant.from('nfcom_grupos').whereNull('removido_em').orderBy('id'), DO_GRUPO),

    /** The parts of some owners, in their order. */
    partes: async (donos: readonly string[]): Promise<ParteRow[]> =>
      rowsOf(
        tenant
          .from('nfcom_partes')
          .whereIn('dono', [...donos])
          .orderBy(['dono', 'ordem']),
        DA_PARTE,
      ),

    clientes: async (ids: readonly number[]): Promise<ClienteFiscalRow[]> =>
      rowsOf(tenant.from('nfcom_clientes').whereIn('cliente_id', [...ids]), DO_CLIENTE),

    municipios: async (): Promise<MunicipioRow[]> =>
      rowsOf(tenant.from('nfcom_municipios').orderBy(['uf', 'cidade']), DO_MUNICIPIO),
  };
}
