import { columns } from '../../../platform/mysql/columns.ts';

/**
 * `gerada`: nobody has taken it; `baixada`: somebody has; `enviada`: the bank has it; `desfeita`: it never left; `recusada`: the bank would not
 * have it.
 */
export type SituacaoDaRemessa = 'gerada' | 'baixada' | 'enviada' | 'desfeita' | 'recusada';

export interface RemessaRow {
  id: number;
  convenio_id: number;
  nsa: number;
  nome: string;
  dia: string;
  entradas: number;
  instrucoes: number;
  total: string;
  criada_em: string;
  baixada_em: string | null;
  enviada_em: string | null;
  desfeita_em: string | null;
}

export const COLUNAS_DA_REMESSA = columns<RemessaRow>('remessas', {
  id: true,
  convenio_id: true,
  nsa: true,
  nome: true,
  dia: true,
  entradas: true,
  instrucoes: true,
  total: true,
  criada_em: true,
  baixada_em: true,
  enviada_em: true,
  desfeita_em: true,
});

/** Whether somebody has taken it, or the bank has it. */
export const saiu = ({ baixada_em, enviada_em }: Pick<RemessaRow, 'baixada_em' | 'enviada_em'>): boolean =>
  baixada_em !== null || enviada_em !== null;

export function situacaoDa(row: RemessaRow): SituacaoDaRemessa {
  const { baixada_em, enviada_em, desfeita_em } = row;
  if (desfeita_em !== null) return saiu(row) ? 'recusada' : 'desfeita';
  if (enviada_em !== null) return 'enviada';
  return baixada_em === null ? 'gerada' : 'baixada';
}
