import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import type { EstadoConexao } from '../../conexoes/conexoes.types.ts';
import type { CategoriaChamado, Chamado, ChamadoRow, SituacaoChamado } from '../chamados.types.ts';
import { COLUNAS_DO_CHAMADO } from '../chamados.types.ts';
import { VERSAO_DO_CHAMADO } from '../equipe/equipe.queries.ts';

export const ORIGENS_DE_CHAMADO = ['api', 'painel', 'app'] as const;
export type OrigemChamado = (typeof ORIGENS_DE_CHAMADO)[number];

export interface FilaRow extends ChamadoRow {
  origem: OrigemChamado;
  responsavel_id: number | null;
  agendado_minutos: number | null;
  espera_equipe: number;
  versao: string;
  cliente_nome: string;
  responsavel_nome: string | null;
}

export const COLUNAS_DA_FILA = columns<FilaRow>('chamados', {
  ...COLUNAS_DO_CHAMADO.of,
  origem: true,
  responsavel_id: true,
  agendado_minutos: true,
  espera_equipe: true,
  versao: VERSAO_DO_CHAMADO,
  cliente_nome: 'clientes.nome',
  responsavel_nome: 'usuarios.nome',
});

export interface Responsavel {
  readonly id: number;
  readonly nome: string;
}

/** A ticket as the staff sees it. */
export interface ChamadoDaEquipe extends Chamado {
  readonly clienteNome: string;
  readonly origem: OrigemChamado;
  readonly responsavel: Responsavel | null;
  readonly duracaoMinutos: number | null;
  /** Whether the last public entry is not the staff's. */
  readonly esperaEquipe: boolean;
  /** Goes with each form as `atualizado_em`. */
  readonly versao: Date;
}

export interface LinhaDaFila extends ChamadoDaEquipe {
  /** Of the ticket's contract, or of the client's first that is not cancelled. */
  readonly conexao: EstadoConexao;
}

/** `fila` and `meus` are open ones; `dia` those that were opened on one day, open or not, the newest first. */
export const VISOES_DA_FILA = ['fila', 'meus', 'fechados', 'dia'] as const;
type VisaoDaFila = (typeof VISOES_DA_FILA)[number];

/** Filters combine with AND. */
export interface FiltroDaFila {
  readonly visao: VisaoDaFila;
  /** Whose tickets `meus` are. */
  readonly usuarioId: number;
  readonly situacao?: SituacaoChamado | undefined;
  readonly categoria?: CategoriaChamado | undefined;
  readonly origem?: OrigemChamado | undefined;
  readonly responsavel?: number | 'ninguem' | undefined;
  /** Only those of which the last public entry is not the staff's. */
  readonly esperando?: boolean | undefined;
  /** Only what was opened or, of `fechados`, closed on this local day; `dia` always has one. */
  readonly dia?: Data | undefined;
  /** Only what this notice of the network is about; see rede/avisos/chamados.service.ts. */
  readonly aviso?: number | undefined;
}

export interface PaginaDaFila {
  readonly itens: readonly LinhaDaFila[];
  /** Leads to the page after this one; null at the last. */
  readonly proxima: string | null;
}

/** Of the open tickets. */
export interface ContagemDaFila {
  /** The id of the newest ticket, open or not: what is opened later has a greater one. */
  readonly ultimo: number;
  readonly abertos: number;
  readonly meus: number;
  readonly semResponsavel: number;
  readonly esperando: number;
}

export interface EntradaDaEquipe {
  readonly id: number;
  readonly acao: string;
  readonly descricao: string | null;
  readonly autor: string | null;
  readonly usuarioId: number | null;
  /** For the staff alone. */
  readonly interno: boolean;
  readonly ocorridoEm: Date;
}

export interface DetalheDoChamado extends LinhaDaFila {
  readonly abertoPor: Responsavel | null;
  /** Oldest first. */
  readonly historico: readonly EntradaDaEquipe[];
}

/** Visits of some days, by who makes them: those of nobody come last. */
export interface Agenda {
  readonly de: Date;
  readonly ate: Date;
  readonly porResponsavel: readonly {
    readonly responsavel: Responsavel | null;
    readonly visitas: readonly ChamadoDaEquipe[];
  }[];
  /** Whether there are more than are shown. */
  readonly cortada: boolean;
}
