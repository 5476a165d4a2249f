import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { IbsCbsDoItem, TributosDoItem } from '../../../brazil/nfcom/base/tributos.types.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { versaoDe } from '../../campos/versao.ts';
import { createServicosQueries, nomeDoDono } from './servicos.queries.ts';
import type { ClienteFiscalRow, GrupoRow, MunicipioRow, ParteRow, ServicoRow } from './servicos.queries.ts';
import type { ClienteFiscal, DonoDoPreco, GrupoFiscal, ParteDoPreco, ServicoNfcom } from './servicos.types.ts';

export type LeituraDeServicosNfcomService = ReturnType<typeof createLeituraDeServicosNfcomService>;

/** What a provider sells, with which taxes, and how its prices split. */
export function createLeituraDeServicosNfcomService({ tenant }: { readonly tenant: TenantDb }) {
  const queries = createServicosQueries(tenant);
  return {
    servicos: async (): Promise<ServicoNfcom[]> => (await queries.servicos()).map(paraServico),
    grupos: async (): Promise<GrupoFiscal[]> => (await queries.grupos()).map(paraGrupo),

    /** The split of an owner itself; none where it has no own. */
    partes: async (dono: DonoDoPreco): Promise<ParteDoPreco[]> =>
      (await queries.partes([nomeDoDono(dono)])).map(paraParte),

    /** What is known of a client; the default where nothing was said. */
    async cliente(id: number): Promise<ClienteFiscal> {
      const [row] = await queries.clientes([id]);
      return row === undefined ? CLIENTE_COMUM : paraClienteFiscal(row);
    },

    /** Which municipality cities of addresses were said to be. */
    municipios: async (): Promise<MunicipioRow[]> => queries.municipios(),
  };
}

export const CLIENTE_COMUM: ClienteFiscal = {
  indicadorIe: 9,
  inscricaoEstadual: null,
  inscricaoMunicipal: null,
  tipoDeAssinante: null,
  municipioCodigo: null,
  retencoes: null,
};

export const paraServico = (row: ServicoRow): ServicoNfcom => ({
  id: row.id,
  codigo: row.codigo,
  descricao: row.descricao,
  classe: row.classe,
  cfop: row.cfop,
  unidade: row.unidade as ServicoNfcom['unidade'],
  grupoId: row.grupo_id,
  versao: versaoDe({ atualizado_em: row.atualizado_em }),
});

export const paraGrupo = (row: GrupoRow): GrupoFiscal => ({
  id: row.id,
  nome: row.nome,
  tributos: jsonColumn<TributosDoItem>(row.tributos),
  ibsCbs: row.ibs_cbs === null ? null : jsonColumn<IbsCbsDoItem>(row.ibs_cbs),
  versao: versaoDe({ atualizado_em: row.atualizado_em }),
});

export const paraParte = ({ servico_id: servicoId, descricao, percentual, valor }: ParteRow): ParteDoPreco => ({
  servicoId,
  descricao,
  percentual: percentual === null ? null : Number(percentual.replace('.', '')),
  valor: valor === null ? null : lerDinheiro(valor),
});

export const paraClienteFiscal = (row: ClienteFiscalRow): ClienteFiscal => ({
  indicadorIe: row.indicador_ie as ClienteFiscal['indicadorIe'],
  inscricaoEstadual: row.inscricao_estadual,
  inscricaoMunicipal: row.inscricao_municipal,
  tipoDeAssinante: row.tipo_assinante,
  municipioCodigo: row.municipio_codigo,
  retencoes: row.retencoes === null ? null : jsonColumn(row.retencoes),
});
