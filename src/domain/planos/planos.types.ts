import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';

export interface PlanoRow {
  id: number;
  nome: string;
  download_mbps: number;
  upload_mbps: number;
  valor: string;
  tecnologia: string | null;
  descricao: string | null;
}

export interface Plano {
  readonly id: number;
  readonly nome: string;
  readonly downloadMbps: number;
  readonly uploadMbps: number;
  readonly valor: Centavos;
  readonly tecnologia: string | null;
  readonly descricao: string | null;
}
