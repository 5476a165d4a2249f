import { columns, expressions } from '../../platform/mysql/columns.ts';

/** A contract, of any tenant, by its key. */
export interface ChaveDeContrato {
  readonly provedor_id: number;
  readonly contrato_id: number;
}

/** Of `contratos as c`. */
export const CHAVE_DE_CONTRATO = columns<ChaveDeContrato>('c', { provedor_id: true, contrato_id: 'c.id' });
export const CHAVE_DE_CONEXAO = columns<ChaveDeContrato>('conexoes', { provedor_id: true, contrato_id: true });
export const CHAVE_DE_PENDENTE = columns<ChaveDeContrato>('conexoes_pendentes', {
  provedor_id: true,
  contrato_id: true,
});

/** A contract to recompute. */
export interface ContratoAfetadoRow extends ChaveDeContrato {
  readonly cliente_id: number;
  readonly fuso_horario: string;
  /** Since when it has its login; null where nobody had it before. */
  readonly login_desde: string | null;
  /** Whether it has a record; the next two are the record's. */
  readonly tem_conexao: 0 | 1;
  readonly ouvida_em: string | null;
  readonly intervalo_segundos: number | null;
  /** Where its newest session was, and since when it is open. */
  readonly nas: string | null;
  readonly porta: string | null;
  readonly sessao_desde: string | null;
  /** Its last drop that was counted of a server. */
  readonly queda_em: string | null;
  readonly queda_nas: string | null;
  readonly queda_causa: string | null;
}

/** Of `contratos as c`, with its provider as `p` and its record as `x`. */
export const COLUNAS_DO_AFETADO = columns<ContratoAfetadoRow>('c', {
  ...CHAVE_DE_CONTRATO.of,
  cliente_id: true,
  fuso_horario: 'p.fuso_horario',
  login_desde: true,
  tem_conexao: 'x.contrato_id IS NOT NULL',
  ouvida_em: 'x.ouvida_em',
  intervalo_segundos: 'x.intervalo_segundos',
  nas: 'x.nas',
  porta: 'x.porta',
  sessao_desde: 'x.sessao_desde',
  queda_em: 'x.queda_em',
  queda_nas: 'x.queda_nas',
  queda_causa: 'x.queda_causa',
});

export interface QuedasDoDiaRow extends ChaveDeContrato {
  /** `YYYY-MM-DD`, local to the provider. */
  readonly dia: string;
  readonly quedas: number;
}

/** Of `quedas_diarias as q`. */
export const COLUNAS_DAS_QUEDAS_DO_DIA = columns<QuedasDoDiaRow>('q', {
  provedor_id: true,
  contrato_id: true,
  dia: true,
  quedas: true,
});

/** A contract's record, as it is to be. */
export type ConexaoRow = Omit<ContratoAfetadoRow, 'cliente_id' | 'fuso_horario' | 'login_desde' | 'tem_conexao'>;

/** What is added to an hour of a server. */
export interface HoraDoNasRow {
  readonly provedor_id: number;
  /** Its beginning, in UTC. */
  readonly hora: string;
  readonly nas: string;
  readonly quedas: number;
}

/** Drops of lines that were online, which are added to a minute of a server. */
export interface MinutoDoNasRow {
  readonly provedor_id: number;
  readonly nas: string;
  /** Its beginning, by the server's clock. */
  readonly minuto: string;
  readonly quedas: number;
}

/** Changes that were taken: how many, and between which ids. */
interface TomadasRow {
  readonly total: number;
  readonly de: number | null;
  readonly ate: number | null;
}

export const DAS_TOMADAS = expressions<TomadasRow>({ total: 'COUNT(*)', de: 'MIN(id)', ate: 'MAX(id)' });
