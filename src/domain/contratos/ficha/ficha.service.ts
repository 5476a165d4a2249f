import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { DO_ENDERECO, paraEndereco } from '../../enderecos/enderecos.types.ts';
import type { Endereco, EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { SituacaoContrato, TipoCobranca } from '../contratos.types.ts';
import { linhasDoCliente } from './linhas.queries.ts';
import { redeDoContrato } from './rede.queries.ts';
import type { LinhaDoContrato } from './linhas.queries.ts';
import type { PedidoDoContrato } from './rede.queries.ts';

interface ResumoRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  plano_id: number;
  plano_nome: string;
  situacao: SituacaoContrato;
  login: string | null;
  valor: string;
  dia_vencimento: number;
}

const DO_RESUMO = columns<ResumoRow>('contratos', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  plano_id: true,
  plano_nome: 'planos.nome',
  situacao: true,
  login: true,
  valor: true,
  dia_vencimento: true,
});

interface FichaRow extends ResumoRow, EnderecoRow {
  tipo_conexao: string;
  tipo_cobranca: TipoCobranca;
  mac: string | null;
  ip: string | null;
  ipv6_prefixo: string | null;
  ativado_em: string | null;
  bloqueado_em: string | null;
  bloqueio_origem: 'financeiro' | 'manual' | null;
  suspenso_em: string | null;
  cancelado_em: string | null;
  motivo: string | null;
  cobrador_id: number | null;
  codigo_externo: string | null;
  atualizado_em: string;
}

const DA_FICHA = columns<FichaRow>('contratos', {
  ...DO_RESUMO.of,
  tipo_conexao: true,
  tipo_cobranca: true,
  mac: true,
  ip: true,
  ipv6_prefixo: true,
  ativado_em: true,
  bloqueado_em: true,
  bloqueio_origem: true,
  suspenso_em: true,
  cancelado_em: true,
  motivo: true,
  cobrador_id: true,
  codigo_externo: true,
  atualizado_em: true,
  ...DO_ENDERECO,
});

interface HistoricoRow {
  id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  ocorrido_em: string;
}

const DO_HISTORICO = columns<HistoricoRow>('contratos_historico', {
  id: true,
  acao: true,
  descricao: true,
  autor: true,
  ocorrido_em: true,
});

/** A contract as a list of staff's has it; money as decimal text. */
export type ResumoDeContrato = Readonly<ResumoRow>;

/** All that staff are shown of a contract. */
export interface FichaDeContrato extends Omit<FichaRow, keyof EnderecoRow | `${string}_em`> {
  /** Calendar date. */
  readonly ativado_em: string | null;
  readonly bloqueado_em: Date | null;
  readonly suspenso_em: Date | null;
  readonly cancelado_em: Date | null;
  /** The row's version. */
  readonly atualizado_em: Date;
  readonly endereco: Endereco;
}

export interface LinhaDoHistorico extends Omit<HistoricoRow, 'ocorrido_em'> {
  readonly ocorrido_em: Date;
}

/** Filters combine with AND. */
export interface FiltroDeContratos {
  readonly situacao?: SituacaoContrato | undefined;
  readonly clienteId?: number | undefined;
  readonly planoId?: number | undefined;
  readonly login?: string | undefined;
  /** Its name in another system. */
  readonly codigoExterno?: string | undefined;
  /** Only those with a higher id. */
  readonly depoisDe?: number | undefined;
}

export type FichasService = ReturnType<typeof createFichasService>;

export interface FichasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'regras'>;
  readonly relogio: Relogio;
}

/** Contracts as staff see them; none of this is kept in a cache. */
export function createFichasService({ tenant, provedor, relogio }: FichasDeps) {
  const comNomes = () =>
    tenant
      .from('contratos')
      .leftJoin('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
      .leftJoin('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'));

  return {
    /** The contract, or null when this tenant has none of that id. */
    async buscar(id: number): Promise<FichaDeContrato | null> {
      const [row] = await rowsOf(comNomes().where('contratos.id', id), DA_FICHA);
      if (row === undefined) return null;
      const { cep: _1, logradouro: _2, numero: _3, complemento: _4, bairro: _5, cidade: _6, uf: _7, ...resto } = row;
      return {
        ...resto,
        bloqueado_em: instante(row.bloqueado_em),
        suspenso_em: instante(row.suspenso_em),
        cancelado_em: instante(row.cancelado_em),
        atualizado_em: fromDatabaseTime(row.atualizado_em),
        endereco: paraEndereco(row),
      };
    },

    /** Up to `limite` contracts, by id. */
    async listar(filtro: FiltroDeContratos, limite: number): Promise<ResumoDeContrato[]> {
      const { situacao, clienteId, planoId, login, codigoExterno, depoisDe = 0 } = filtro;
      const contratos = comNomes().where('contratos.id', '>', depoisDe).orderBy('contratos.id').limit(limite);
      if (situacao !== undefined) void contratos.where('contratos.situacao', situacao);
      if (clienteId !== undefined) void contratos.where('contratos.cliente_id', clienteId);
      if (planoId !== undefined) void contratos.where('contratos.plano_id', planoId);
      if (login !== undefined) void contratos.where('contratos.login', login);
      if (codigoExterno !== undefined) void contratos.where('contratos.codigo_externo', codigoExterno);
      return rowsOf(contratos, DO_RESUMO);
    },

    /** What happened to a contract, oldest first. */
    async historico(contratoId: number): Promise<LinhaDoHistorico[]> {
      const linhas = tenant.from('contratos_historico').where('contrato_id', contratoId).orderBy('id');
      const rows = await rowsOf(linhas, DO_HISTORICO);
      return rows.map((row) => ({ ...row, ocorrido_em: fromDatabaseTime(row.ocorrido_em) }));
    },

    /** Lines and blocks of all contracts of a client, by the contract. */
    linhasDoCliente: async (clienteId: number): Promise<ReadonlyMap<number, LinhaDoContrato>> =>
      linhasDoCliente(tenant, clienteId, {
        agora: relogio.agora(),
        desbloqueioHabilitado: provedor.regras.desbloqueioHabilitado,
      }),

    /** The last requests of a contract to the network, the newest first, with what became of its sessions. */
    rede: async (contratoId: number, limite: number): Promise<PedidoDoContrato[]> =>
      redeDoContrato(tenant, contratoId, limite),
  };
}

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
