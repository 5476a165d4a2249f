import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { Endereco, EnderecoRow } from '../enderecos/enderecos.types.ts';
import type { EstadoConexao } from '../conexoes/conexoes.types.ts';

export type SituacaoContrato = 'pendente' | 'ativo' | 'bloqueado' | 'inativo' | 'cancelado' | 'cancelado_definitivo';
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
  /** Of no table. */
  '': { desbloqueado_ate: string | null };
}

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
}
