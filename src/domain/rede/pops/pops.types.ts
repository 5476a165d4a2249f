import { columns } from '../../../platform/mysql/columns.ts';

/** A point of presence: where servers of the network stand. */
export interface PopRow {
  id: number;
  nome: string;
  cidade: string;
  uf: string;
  endereco: string | null;
  /** Degrees, as decimal text; both are there, or none is. */
  latitude: string | null;
  longitude: string | null;
}

export const COLUNAS_DO_POP = columns<PopRow>('pops', {
  id: true,
  nome: true,
  cidade: true,
  uf: true,
  endereco: true,
  latitude: true,
  longitude: true,
});

export interface Pop extends Omit<PopRow, 'latitude' | 'longitude'> {
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** Addresses of the servers that stand there. */
  readonly nas: readonly string[];
}
