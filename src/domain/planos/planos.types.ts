import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns } from '../../platform/mysql/columns.ts';

export interface PlanoRow {
  id: number;
  nome: string;
  download_mbps: number;
  upload_mbps: number;
  valor: string;
  tecnologia: string | null;
  descricao: string | null;
}

export const COLUNAS_DO_PLANO = columns<PlanoRow>('planos', {
  id: true,
  nome: true,
  download_mbps: true,
  upload_mbps: true,
  valor: true,
  tecnologia: true,
  descricao: true,
});

export interface Plano {
  readonly id: number;
  readonly nome: string;
  readonly downloadMbps: number;
  readonly uploadMbps: number;
  readonly valor: Centavos;
  readonly tecnologia: string | null;
  readonly descricao: string | null;
}

/** A plan as staff see it; money as decimal text. */
export interface PlanoComContratos extends PlanoRow {
  grupo_radius: string | null;
  codigo_externo: string | null;
  ativo: number;
  /** The row's version. */
  atualizado_em: string | null;
  contratos: number;
}

export const COLUNAS_DO_PLANO_DA_EQUIPE = columns<Omit<PlanoComContratos, 'contratos'>>('planos', {
  ...COLUNAS_DO_PLANO.of,
  grupo_radius: true,
  codigo_externo: true,
  ativo: true,
  atualizado_em: true,
});
