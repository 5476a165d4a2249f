/** What of a certificate decides whether it may sign an emitter's notes. */
export interface DadosDoCertificado {
  readonly cnpj: string | null;
  readonly validoDesde: Date;
  readonly validoAte: Date;
}

/**
 * - `vencido`, `ainda_nao_vale`: out of its time.
 * - `sem_cnpj`: not of a company.
 * - `de_outra_empresa`: the first 8 characters of its CNPJ are not the emitter's (rejection 213).
 */
export type MotivoDoCertificado = 'vencido' | 'ainda_nao_vale' | 'sem_cnpj' | 'de_outra_empresa';

/** Why a certificate may not sign for this emitter at an instant; null when it may. */
export function faltaDoCertificado(
  { cnpj, validoDesde, validoAte }: DadosDoCertificado,
  emitente: string,
  agora: Date,
): MotivoDoCertificado | null {
  if (agora > validoAte) return 'vencido';
  if (agora < validoDesde) return 'ainda_nao_vale';
  if (cnpj === null) return 'sem_cnpj';
  return cnpj.slice(0, 8) === emitente.slice(0, 8) ? null : 'de_outra_empresa';
}
