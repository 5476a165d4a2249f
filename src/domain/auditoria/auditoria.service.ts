import type { Knex } from 'knex';
import { ID, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { DA_AUDITORIA, lerLinha } from './auditoria.types.ts';
import type { AuditoriaRow, FiltroAuditoria, LinhaDaAuditoria } from './auditoria.types.ts';

export type AuditoriaService = ReturnType<typeof createAuditoriaService>;

const POR_PAGINA = 50;
/** Of a file, at a time. */
const POR_LOTE = 1000;
/** Ids follow the time of their writing, but for what was written side by side. */
const FOLGA_MS = 10 * 60_000;

export interface PaginaDaAuditoria {
  readonly itens: readonly LinhaDaAuditoria[];
  /** The next page begins before this id; null at the end. */
  readonly proxima: number | null;
}

/** What was done to a provider's rows, the latest first. */
export function createAuditoriaService({ tenant }: { readonly tenant: TenantDb }) {
  /** The first id that may have been written at a moment or later; null: none. */
  async function idDe(momento: Date): Promise<number | null> {
    const query = tenant
      .from('auditoria', 'auditoria_tempo')
      .where('ocorrido_em', '>=', toDatabaseTime(momento))
      .orderBy(['ocorrido_em', 'id'])
      .limit(1);
    const [row] = await rowsOf(query, ID);
    return row?.id ?? null;
  }

  /** Rows of a filter before an id. The times are said as ids, too, by which each index is in order. */
  async function lerDe(filtro: FiltroAuditoria, antesDe: number | null, limite: number): Promise<AuditoriaRow[]> {
    const { de, antesDe: ate } = filtro;
    const [primeiro, ultimo] = await Promise.all([
      de === undefined ? null : idDe(new Date(de.getTime() - FOLGA_MS)),
      ate === undefined ? null : idDe(new Date(ate.getTime() + FOLGA_MS)),
    ]);
    if (de !== undefined && primeiro === null) return [];
    const query = tenant
      .from('auditoria', indiceDe(filtro))
      .modify(filtrar, filtro)
      .orderBy('id', 'desc')
      .limit(limite);
    if (primeiro !== null) query.where('id', '>=', primeiro);
    const fim = Math.min(ultimo ?? Infinity, antesDe ?? Infinity);
    if (fim !== Infinity) query.where('id', '<', fim);
    return rowsOf(query, DA_AUDITORIA);
  }

  return {
    async listar(filtro: FiltroAuditoria, antesDe: number | null = null): Promise<PaginaDaAuditoria> {
      const rows = await lerDe(filtro, antesDe, POR_PAGINA + 1);
      const itens = rows.slice(0, POR_PAGINA).map(lerLinha);
      return { itens, proxima: rows.length > POR_PAGINA ? (itens.at(-1)?.id ?? null) : null };
    },

    /** What was done to one row, the latest first; of a page. */
    async auditoriaDe(recurso: string, recursoId: number, antesDe: number | null = null): Promise<PaginaDaAuditoria> {
      return this.listar({ recurso, recursoId }, antesDe);
    },

    /** A thousand of a filter, the latest first, for a file that is read lot by lot. */
    async lote(filtro: FiltroAuditoria, antesDe: number | null): Promise<PaginaDaAuditoria> {
      const rows = await lerDe(filtro, antesDe, POR_LOTE);
      return { itens: rows.map(lerLinha), proxima: rows.length < POR_LOTE ? null : (rows.at(-1)?.id ?? null) };
    },

    /** All of a filter, the latest first: as many statements as thousands of rows. */
    async *todas(filtro: FiltroAuditoria): AsyncGenerator<LinhaDaAuditoria> {
      for (let antesDe: number | null = null; ;) {
        const { itens, proxima }: PaginaDaAuditoria = await this.lote(filtro, antesDe);
        yield* itens;
        if (proxima === null) return;
        antesDe = proxima;
      }
    },
  };
}

/** The narrowest index of what is filtered; each is in the order of ids. */
function indiceDe({ requisicaoId, usuarioId, chaveId, tarefa, acao, recurso, recursoId }: FiltroAuditoria): string {
  if (requisicaoId !== undefined) return 'auditoria_requisicao';
  if (recursoId !== undefined) return recurso === undefined ? 'auditoria_numero' : 'auditoria_recurso';
  if (usuarioId !== undefined) return 'auditoria_usuario';
  if (chaveId !== undefined) return 'auditoria_chave';
  if (tarefa !== undefined) return 'auditoria_tarefa';
  if (acao?.includes('.') === true) return 'auditoria_acao';
  return acao === undefined && recurso === undefined ? 'PRIMARY' : 'auditoria_do_recurso';
}

function filtrar(query: Knex.QueryBuilder, filtro: FiltroAuditoria): void {
  const { requisicaoId, usuarioId, chaveId, tarefa, acao, recurso, recursoId, de, antesDe } = filtro;
  if (requisicaoId !== undefined) query.where('requisicao_id', requisicaoId);
  if (usuarioId !== undefined) query.where('usuario_id', usuarioId);
  if (chaveId !== undefined) query.where('chave_id', chaveId);
  if (tarefa !== undefined) query.where('ator_tarefa', tarefa);
  // The resource of an action is what comes before its dot.
  if (acao !== undefined) query.where(acao.includes('.') ? 'acao' : 'recurso', acao);
  if (recurso !== undefined) query.where('recurso', recurso);
  if (recursoId !== undefined) query.where('recurso_id', recursoId);
  if (de !== undefined) query.where('ocorrido_em', '>=', toDatabaseTime(de));
  if (antesDe !== undefined) query.where('ocorrido_em', '<', toDatabaseTime(antesDe));
}
