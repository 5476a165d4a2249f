import { columns } from '../../../platform/mysql/columns.ts';
import type { CategoriaChamado, Chamado, ChamadoRow, SituacaoChamado, TipoDeAutor } from '../chamados.types.ts';
import { COLUNAS_DO_CHAMADO } from '../chamados.types.ts';
import type { Destino } from '../fila/destinos.ts';
import type { Responsavel } from '../fila/fila.types.ts';

/** Filters combine with AND. */
export interface FiltroDoApp {
  /** Null: of all clients. */
  readonly clienteIds: readonly number[] | null;
  readonly contratoId?: number | undefined;
  readonly situacao?: SituacaoChamado | 'em_aberto' | undefined;
  /** Who attends, of the staff; null: nobody. Absent: whoever. */
  readonly responsavelId?: number | null | undefined;
}

export interface ChamadoComNomesRow extends ChamadoRow {
  cliente_nome: string;
  responsavel_id: number | null;
  responsavel_nome: string | null;
}

export const COLUNAS_COM_NOMES = columns<ChamadoComNomesRow>('chamados', {
  ...COLUNAS_DO_CHAMADO.of,
  cliente_nome: 'clientes.nome',
  responsavel_id: true,
  responsavel_nome: 'usuarios.nome',
});

/** A ticket as the staff's app shows it. */
export interface ChamadoDaEquipeNoApp extends Chamado {
  readonly cliente: Destino & { readonly nome: string };
  readonly responsavel: Responsavel | null;
}

/** What happened to a ticket. */
export interface EntradaNoApp {
  readonly id: number;
  readonly acao: string;
  readonly descricao: string | null;
  readonly autorTipo: TipoDeAutor;
  readonly autor: string | null;
  readonly ocorridoEm: Date;
}

/** A ticket that a subscriber opens. */
export interface ChamadoDoAssinante {
  /** Null: that of the only contract that is not cancelled. */
  readonly contratoId: number | null;
  readonly assunto: string;
  readonly descricao: string;
  readonly categoria: CategoriaChamado;
}

export interface ComentarioNoApp {
  readonly comentario: string;
  /** Whether a closed ticket is taken up again; of an open one it says nothing. */
  readonly reabrir: boolean;
}
