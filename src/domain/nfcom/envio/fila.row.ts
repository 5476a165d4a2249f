import { columns } from '../../../platform/mysql/columns.ts';

/** How the authority of one environment answers. */
export interface EstadoRow {
  parada_ate: string | null;
  codigo: string | null;
  motivo: string | null;
  falhas: number;
  status_em: string | null;
  status_codigo: string | null;
  rejeicao: string | null;
  rejeicoes: number;
  /** Until when nothing is asked, because the authority refuses whatever it is asked. */
  sem_perguntar_ate: string | null;
}

/** A provider's queue: what is of both environments, and how the authority answers of the one in which notes are issued now. */
export interface FilaRow extends EstadoRow {
  posse_ate: string | null;
  /** Since when people let notes wait. */
  pausada_em: string | null;
  /** How the other one answers, of which notes may be left. */
  outra: EstadoRow;
}

/** The same as it stands in the table. */
export type GuardadaRow = Omit<FilaRow, 'outra'> & {
  [Coluna in keyof EstadoRow as `outra_${Coluna}`]: EstadoRow[Coluna];
};

export const DA_FILA = columns<GuardadaRow>('nfcom_filas', {
  posse_ate: true,
  pausada_em: true,
  parada_ate: true,
  codigo: true,
  motivo: true,
  falhas: true,
  status_em: true,
  status_codigo: true,
  rejeicao: true,
  rejeicoes: true,
  sem_perguntar_ate: true,
  outra_parada_ate: true,
  outra_codigo: true,
  outra_motivo: true,
  outra_falhas: true,
  outra_status_em: true,
  outra_status_codigo: true,
  outra_rejeicao: true,
  outra_rejeicoes: true,
  outra_sem_perguntar_ate: true,
});

const NADA_DITO: EstadoRow = {
  parada_ate: null,
  codigo: null,
  motivo: null,
  falhas: 0,
  status_em: null,
  status_codigo: null,
  rejeicao: null,
  rejeicoes: 0,
  sem_perguntar_ate: null,
};

export const FILA_NOVA: FilaRow = { ...NADA_DITO, posse_ate: null, pausada_em: null, outra: NADA_DITO };

export const lerFila = (row: GuardadaRow): FilaRow => ({
  ...row,
  outra: {
    parada_ate: row.outra_parada_ate,
    codigo: row.outra_codigo,
    motivo: row.outra_motivo,
    falhas: row.outra_falhas,
    status_em: row.outra_status_em,
    status_codigo: row.outra_status_codigo,
    rejeicao: row.outra_rejeicao,
    rejeicoes: row.outra_rejeicoes,
    sem_perguntar_ate: row.outra_sem_perguntar_ate,
  },
});

/** How one authority answers, and nothing else of the row. */
export const estadoDe = (row: EstadoRow): EstadoRow => ({
  parada_ate: row.parada_ate,
  codigo: row.codigo,
  motivo: row.motivo,
  falhas: row.falhas,
  status_em: row.status_em,
  status_codigo: row.status_codigo,
  rejeicao: row.rejeicao,
  rejeicoes: row.rejeicoes,
  sem_perguntar_ate: row.sem_perguntar_ate,
});

/** Nothing stops it. */
export const SEM_PARADA = { parada_ate: null, codigo: null, motivo: null, falhas: 0 } as const;

/** Changes of how the other authority answers, as its columns are named. */
export const daOutra = (mudancas: Partial<EstadoRow>): object =>
  Object.fromEntries(Object.entries(mudancas).map(([coluna, valor]) => [`outra_${coluna}`, valor]));
