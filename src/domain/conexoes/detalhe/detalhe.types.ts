import { columns } from '../../../platform/mysql/columns.ts';
import { COLUNAS_DO_RADACCT } from '../conexoes.types.ts';
import type { EstadoConexao, FonteConexao, RadacctRow, Sessao } from '../conexoes.types.ts';
import { NOME_DO_SERVIDOR } from '../radacct.regras.ts';
import type { Aviso } from '../../rede/avisos/avisos.types.ts';

/** The line of a contract, as it is now. */
export interface ConexaoDetalhe {
  readonly conexao: EstadoConexao;
  readonly fonte: FonteConexao;
  /** Since when it is so: the session's start, or the end of the last one. Null where it is not known. */
  readonly desde: Date | null;
  /** IPv4 that the line has; null while it has none. */
  readonly ip: string | null;
  /** The delegated IPv6 prefix, or else the one of the line; null while it has none. */
  readonly ipv6Prefixo: string | null;
  /** Of the equipment of the newest session, as `D4:6E:0E:11:22:33`; null where the NAS tells something else. */
  readonly mac: string | null;
  /** Name of the server of the newest session; null where it has none, or is the provider's no more. */
  readonly servidor: string | null;
  /** The last drop that counted, and why; the cause is null where it was not told. */
  readonly ultimaQueda: { readonly em: Date; readonly causa: string | null } | null;
  /** Of the last 7 local days, today included. */
  readonly quedas7Dias: number;
  /** Of the last 30 local days, today included. */
  readonly quedas30Dias: number;
}

/** Connection, drops and sessions of a contract. */
export interface Conexao extends ConexaoDetalhe {
  readonly contratoId: number;
  /** Notices in force that cover the contract. */
  readonly avisos: readonly Aviso[];
  /** Active at any moment of the last 30 days; newest first, at most 100. */
  readonly sessoes: readonly Sessao[];
}

/** A contract with its record in `conexoes`, if it has one, and the newest of its sessions, an open one while the record says open. */
export interface DetalheRow extends RadacctRow {
  id: number;
  login: string | null;
  login_desde: string | null;
  conexao_contrato_id: number | null;
  conexao_ouvida_em: string | null;
  intervalo_segundos: number | null;
  sessao_desde: string | null;
  queda_em: string | null;
  queda_causa: string | null;
  servidor: string | null;
  /** Null: it has no session. */
  radacctid: number | null;
  framedipaddress: string | null;
  framedipv6prefix: string | null;
  delegatedipv6prefix: string | null;
  callingstationid: string | null;
}

/** Of `contratos`, with `conexoes as x`, `nas`, `radacct as r` and `sessoes_ouvidas as o`. */
export const COLUNAS_DO_DETALHE = columns<DetalheRow>('r', {
  ...COLUNAS_DO_RADACCT.of,
  id: 'contratos.id',
  login: 'contratos.login',
  login_desde: 'contratos.login_desde',
  conexao_contrato_id: 'x.contrato_id',
  conexao_ouvida_em: 'x.ouvida_em',
  intervalo_segundos: 'x.intervalo_segundos',
  sessao_desde: 'x.sessao_desde',
  queda_em: 'x.queda_em',
  queda_causa: 'x.queda_causa',
  servidor: NOME_DO_SERVIDOR,
  radacctid: true,
  framedipaddress: true,
  framedipv6prefix: true,
  delegatedipv6prefix: true,
  callingstationid: true,
});

/** Drops that were counted, of the last local days. */
export interface SomasRow {
  quedas_7: number;
  quedas_30: number;
}
