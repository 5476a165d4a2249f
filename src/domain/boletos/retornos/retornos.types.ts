import { columns } from '../../../platform/mysql/columns.ts';

/** What a line of a bank's file did. */
export type ResultadoDaLinha =
  | 'registrado'
  | 'rejeitado'
  | 'quitada'
  | 'parcial'
  | 'excedente'
  | 'nao_identificada'
  | 'repetida'
  | 'baixado'
  | 'desfeita'
  /** It undoes a payment that no file has told of yet, and waits for that file. */
  | 'a_desfazer'
  | 'confirmada'
  | 'recusada'
  | 'tarifa'
  /** It says what cannot be: nothing of it counts. */
  | 'ilegivel'
  /** It says what is known already, or what no longer matters. */
  | 'sem_efeito'
  /** No title of ours has its number. */
  | 'desconhecido';

/** How many lines did what. */
export type Contas = Readonly<Partial<Record<ResultadoDaLinha, number>>>;

export interface RetornoRow {
  id: number;
  convenio_id: number;
  nome: string;
  gravado_em: string | null;
  pago_ate: string | null;
  linhas: number;
  partes: number;
  feitas: number;
  falhas: number;
  tentar_em: string | null;
  contas: string | Contas | null;
  recebido_em: string;
  concluido_em: string | null;
}

export const COLUNAS_DO_RETORNO = columns<RetornoRow>('retornos', {
  id: true,
  convenio_id: true,
  nome: true,
  gravado_em: true,
  pago_ate: true,
  linhas: true,
  partes: true,
  feitas: true,
  falhas: true,
  tentar_em: true,
  contas: true,
  recebido_em: true,
  concluido_em: true,
});

export interface LinhaRow {
  id: number;
  linha: number;
  movimento: string;
  classe: string;
  resultado: ResultadoDaLinha;
  numero: string;
  boleto_id: number | null;
  fatura_id: number | null;
  valor: string;
  tarifa: string;
  dia: string | null;
  motivos: string | readonly { codigo: string; texto: string }[] | null;
}

export const COLUNAS_DA_LINHA = columns<LinhaRow>('retornos_linhas', {
  id: true,
  linha: true,
  movimento: true,
  classe: true,
  resultado: true,
  numero: true,
  boleto_id: true,
  fatura_id: true,
  valor: true,
  tarifa: true,
  dia: true,
  motivos: true,
});
