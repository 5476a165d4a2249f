import { columns } from '../../platform/mysql/columns.ts';

export const SITUACOES_DE_CHAMADO = [
  'aberto',
  'pendente',
  'pendente_terceiro',
  'em_andamento',
  'reaberto',
  'solucionado',
  'cancelado',
] as const;
export type SituacaoChamado = (typeof SITUACOES_DE_CHAMADO)[number];
export const PRIORIDADES_DE_CHAMADO = ['baixa', 'normal', 'alta', 'urgente'] as const;
export type PrioridadeChamado = (typeof PRIORIDADES_DE_CHAMADO)[number];
export const CATEGORIAS_DE_CHAMADO = [
  'TECNICO',
  'FINANCEIRO',
  'COMERCIAL',
  'INSTALACAO',
  'CANCELAMENTO',
  'OUTRO',
] as const;
export type CategoriaChamado = (typeof CATEGORIAS_DE_CHAMADO)[number];

export interface ChamadoRow {
  id: number;
  protocolo: string | null;
  cliente_id: number;
  contrato_id: number | null;
  situacao: SituacaoChamado;
  prioridade: PrioridadeChamado;
  categoria: CategoriaChamado | null;
  assunto: string;
  descricao: string;
  solucao: string | null;
  aberto_em: string;
  fechado_em: string | null;
  agendado_para: string | null;
}

export const COLUNAS_DO_CHAMADO = columns<ChamadoRow>('chamados', {
  id: true,
  protocolo: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  prioridade: true,
  categoria: true,
  assunto: true,
  descricao: true,
  solucao: true,
  aberto_em: true,
  fechado_em: true,
  agendado_para: true,
});

export interface Chamado {
  readonly id: number;
  /** What the subscriber names it by; null for those older than protocols. */
  readonly protocolo: string | null;
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly situacao: SituacaoChamado;
  readonly prioridade: PrioridadeChamado;
  readonly categoria: CategoriaChamado | null;
  readonly assunto: string;
  readonly descricao: string;
  readonly solucao: string | null;
  readonly abertoEm: Date;
  readonly fechadoEm: Date | null;
  readonly agendadoPara: Date | null;
}

/** Who wrote an entry of a ticket's history: `sistema` is a program of the provider's. */
export const TIPOS_DE_AUTOR = ['cliente', 'equipe', 'sistema'] as const;
export type TipoDeAutor = (typeof TIPOS_DE_AUTOR)[number];

export interface EntradaHistoricoRow {
  id: number;
  acao: string;
  descricao: string | null;
  autor: string | null;
  ocorrido_em: string;
}

export const COLUNAS_DO_HISTORICO = columns<EntradaHistoricoRow>('chamados_historico', {
  id: true,
  acao: true,
  descricao: true,
  autor: true,
  ocorrido_em: true,
});

export interface EntradaHistorico {
  readonly id: number;
  readonly acao: string;
  readonly descricao: string | null;
  /** Name of the key or of the member of staff. */
  readonly autor: string | null;
  readonly ocorridoEm: Date;
}

/** Filters combine with AND. `em_aberto` is every ticket neither solved nor cancelled. */
export interface FiltroChamados {
  readonly protocolo?: string | undefined;
  readonly clienteId?: number | undefined;
  readonly contratoId?: number | undefined;
  readonly situacao?: SituacaoChamado | 'em_aberto' | undefined;
  /** Those that changed since; see leituras.ts. */
  readonly atualizadoDesde?: Date | undefined;
}
