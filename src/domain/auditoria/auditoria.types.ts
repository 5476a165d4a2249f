import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../platform/mysql/database.ts';

export interface AuditoriaRow {
  id: number;
  acao: string;
  recurso: string;
  recurso_id: number | null;
  ator_tipo: string | null;
  ator_id: number | null;
  ator_tarefa: string | null;
  chave_id: number | null;
  usuario_id: number | null;
  cliente_id: number | null;
  autor: string;
  ip: string | null;
  requisicao_id: string | null;
  dados: string | Record<string, unknown> | null;
  ocorrido_em: string;
}

export const DA_AUDITORIA = columns<AuditoriaRow>('auditoria', {
  id: true,
  acao: true,
  recurso: true,
  recurso_id: true,
  ator_tipo: true,
  ator_id: true,
  ator_tarefa: true,
  chave_id: true,
  usuario_id: true,
  cliente_id: true,
  autor: true,
  ip: true,
  requisicao_id: true,
  dados: true,
  ocorrido_em: true,
});

/** What was done, by whom, on what. */
export interface LinhaDaAuditoria {
  readonly id: number;
  readonly em: Date;
  /** As `fatura.paga`. */
  readonly acao: string;
  readonly recurso: string;
  readonly recursoId: number | null;
  readonly quem: {
    /** As actor.ts has them; null in what was written before there were kinds. */
    readonly tipo: string | null;
    readonly id: number | null;
    /** The client, where a subscriber did it. */
    readonly clienteId: number | null;
    /** Of a job. */
    readonly tarefa: string | null;
    readonly nome: string;
  };
  readonly ip: string | null;
  /** Id of the request in which it was done; null where there was none, and in what older processes wrote. */
  readonly requisicaoId: string | null;
  /** Names of the fields that changed, where the event says them. */
  readonly campos: readonly string[];
  /** Ids and choices, as the event has them; never personal data. */
  readonly dados: Readonly<Record<string, unknown>>;
}

/** Filters combine with AND. */
export interface FiltroAuditoria {
  /** Of these, one at most. */
  readonly usuarioId?: number | undefined;
  readonly chaveId?: number | undefined;
  readonly tarefa?: string | undefined;
  /** A whole action, as `fatura.paga`, or what comes before its dot, as `fatura`. */
  readonly acao?: string | undefined;
  readonly recurso?: string | undefined;
  readonly recursoId?: number | undefined;
  readonly requisicaoId?: string | undefined;
  readonly de?: Date | undefined;
  /** Not included. */
  readonly antesDe?: Date | undefined;
}

export function lerLinha(row: AuditoriaRow): LinhaDaAuditoria {
  const dados = row.dados === null ? {} : jsonColumn<Record<string, unknown>>(row.dados);
  const campos = dados['campos'];
  return {
    id: row.id,
    em: fromDatabaseTime(row.ocorrido_em),
    acao: row.acao,
    recurso: row.recurso,
    recursoId: row.recurso_id,
    quem: {
      tipo: row.ator_tipo ?? (row.chave_id !== null ? 'chave' : row.usuario_id !== null ? 'usuario' : null),
      id: row.ator_id ?? row.chave_id ?? row.usuario_id,
      clienteId: row.cliente_id ?? (row.ator_tipo === 'assinante' ? row.ator_id : null),
      tarefa: row.ator_tarefa,
      nome: row.autor,
    },
    ip: row.ip,
    requisicaoId: row.requisicao_id,
    campos: Array.isArray(campos) ? campos.filter((campo) => typeof campo === 'string') : [],
    dados,
  };
}
