import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../platform/mysql/columns.ts';
import type { Columns, Computed } from '../../platform/mysql/columns.ts';
import { DO_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { Endereco, EnderecoRow } from '../enderecos/enderecos.types.ts';
import type { EstadoConexao } from '../conexoes/conexoes.types.ts';
import type { Aviso } from '../rede/avisos/avisos.types.ts';

export const SITUACOES_DE_CONTRATO = [
  'pendente',
  'ativo',
  'bloqueado',
  'inativo',
  'cancelado',
  'cancelado_definitivo',
] as const;
export type SituacaoContrato = (typeof SITUACOES_DE_CONTRATO)[number];

/** Of a contract that is over, for now or for good. */
export const SITUACOES_DE_CANCELADO: readonly SituacaoContrato[] = ['cancelado', 'cancelado_definitivo'];
export type TipoCobranca = 'pos_pago' | 'pre_pago' | 'isento';

/** A contract with its plan, its connection state and the end of a trust unblock in force, by table. */
export interface ContratoRow {
  contratos: EnderecoRow & {
    id: number;
    cliente_id: number;
    situacao: SituacaoContrato;
    tipo_conexao: string;
    login: string | null;
    mac: string | null;
    ip: string | null;
    tipo_cobranca: TipoCobranca;
    dia_vencimento: number;
    valor: string;
    ativado_em: string | null;
    bloqueado_em: string | null;
    plano_id: number;
  };
  planos: { nome: string; download_mbps: number; upload_mbps: number };
  conexoes: { contrato_id: number | null; ouvida_em: string | null; intervalo_segundos: number | null };
  /** Of no table: the end of a trust unblock in force, and whether the provider has open notices, of whatever they are. */
  '': { desbloqueado_ate: string | null; ha_avisos: 0 | 1 };
}

/** Columns of a {@link ContratoRow} that are some table's, by table. */
export const COLUNAS_DO_CONTRATO = {
  contratos: columns<ContratoRow['contratos']>('contratos', {
    id: true,
    cliente_id: true,
    situacao: true,
    tipo_conexao: true,
    login: true,
    mac: true,
    ip: true,
    tipo_cobranca: true,
    dia_vencimento: true,
    valor: true,
    ativado_em: true,
    bloqueado_em: true,
    plano_id: true,
    ...DO_ENDERECO,
  }),
  planos: columns<ContratoRow['planos']>('planos', { nome: true, download_mbps: true, upload_mbps: true }),
  conexoes: columns<ContratoRow['conexoes']>('conexoes', {
    contrato_id: true,
    ouvida_em: true,
    intervalo_segundos: true,
  }),
};

/** What is read of a client to whose row its contracts are joined. */
export interface ColunasDeCliente<Proprio, Calculado> {
  readonly proprias: Columns<Proprio>;
  readonly calculadas: Computed<Calculado>;
}

/** A client with one of its contracts; null is all of the contract where it has none. */
export type ClienteComContratoRow<Proprio, Calculado> = { clientes: Proprio; '': Calculado } & (
  ContratoRow | { contratos: { id: null } }
);

export interface Contrato {
  readonly id: number;
  readonly clienteId: number;
  readonly situacao: SituacaoContrato;
  readonly conexao: EstadoConexao;
  readonly tipoConexao: string;
  readonly login: string | null;
  readonly mac: string | null;
  readonly ip: string | null;
  readonly tipoCobranca: TipoCobranca;
  readonly diaVencimento: number;
  readonly valor: Centavos;
  /** Calendar date. */
  readonly ativadoEm: string | null;
  readonly bloqueadoEm: Date | null;
  /** End of the trust unblock in force; null when none is. */
  readonly desbloqueadoAte: Date | null;
  readonly plano: {
    readonly id: number;
    readonly nome: string;
    readonly downloadMbps: number;
    readonly uploadMbps: number;
  };
  readonly enderecoInstalacao: Endereco;
  /** Notices of the network in force that cover it, the newest beginning first. */
  readonly avisos: readonly Aviso[];
}
