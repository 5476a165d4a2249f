import type { Data } from '../../brazil/calendario/datas.ts';
import { columns } from '../../platform/mysql/columns.ts';

/** Whether a contract is connected, by what RADIUS last said. */
export type EstadoConexao = 'online' | 'offline' | 'desconhecido';

/** Where the connection state comes from. */
export type FonteConexao = 'radius' | 'desconhecida';

/**
 * What the rules need of a row of FreeRADIUS's `radacct`, and of `sessoes_ouvidas` about it. Times are MySQL's text,
 * `YYYY-MM-DD HH:MM:SS`, in UTC; those of `radacct` are the NAS's where it tells any.
 */
export interface RadacctRow {
  acctstarttime: string | null;
  acctupdatetime: string | null;
  acctstoptime: string | null;
  /** Seconds between the last two updates; null or 0 before there were two. */
  acctinterval: number | null;
  /** Seconds, as the NAS counts them. */
  acctsessiontime: number | null;
  /** RFC 2866 name (`Lost-Carrier`); empty while the session is open. */
  acctterminatecause: string;
  /** When the open session was last heard of, by our clock; null of what ended, and of what was told before this was kept. */
  ouvida_em: string | null;
  /** `acctinterval` before the last update. */
  intervalo_anterior: number | null;
}

/** Of `radacct as r`, with `sessoes_ouvidas as o`. */
export const COLUNAS_DO_RADACCT = columns<RadacctRow>('r', {
  acctstarttime: true,
  acctupdatetime: true,
  acctstoptime: true,
  acctinterval: true,
  acctsessiontime: true,
  acctterminatecause: true,
  ouvida_em: 'o.ouvida_em',
  intervalo_anterior: 'o.intervalo_anterior',
});

/** Local days over which drops are counted. */
export interface JanelaDeQuedas {
  readonly hoje: Data;
  /** The first of 7, and of 30. */
  readonly de7: Data;
  readonly de30: Data;
}

/** A session, judged at an instant. */
export interface SessaoInterpretada {
  readonly inicio: Date | null;
  /** Null while open; of a stale session, its last sign of life as the NAS dated it. */
  readonly fim: Date | null;
  /** Until now while open; never negative. */
  readonly duracaoSegundos: number;
  /** RFC 2866 name in lower snake case; `sem_resposta` of a stale session; null while open or when none was given. */
  readonly causa: string | null;
  /** Open and heard of within two interim intervals. */
  readonly aberta: boolean;
  /** Stale: never closed, and not heard of for more than two interim intervals. */
  readonly parada: boolean;
  /** The last update, or the start when that is later: by our clock where that is known, else by the NAS's. */
  readonly ouvidaEm: Date | null;
  /** Interim interval that applies to it, in seconds. */
  readonly intervaloSegundos: number;
  /** Ended in a way that the subscriber felt as a drop. */
  readonly queda: boolean;
}

/** A session as callers see it. */
export interface Sessao {
  readonly inicio: Date | null;
  readonly fim: Date | null;
  readonly duracaoSegundos: number;
  readonly causa: string | null;
}

/** A contract with its record in `conexoes`, if it has one. */
export interface ContratoConexaoRow {
  id: number;
  login: string | null;
  conexao_contrato_id: number | null;
  ouvida_em: string | null;
  intervalo_segundos: number | null;
}

export const COLUNAS_DO_CONTRATO_COM_CONEXAO = columns<ContratoConexaoRow>('contratos', {
  id: true,
  login: true,
  conexao_contrato_id: 'conexoes.contrato_id',
  ouvida_em: 'conexoes.ouvida_em',
  intervalo_segundos: 'conexoes.intervalo_segundos',
});

export interface QuedasDiariasRow {
  dia: string;
  quedas: number;
}

export const COLUNAS_DAS_QUEDAS = columns<QuedasDiariasRow>('quedas_diarias', { dia: true, quedas: true });
