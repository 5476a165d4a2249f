import { randomBytes } from 'node:crypto';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import { resumoDoToken } from './token.regras.ts';
import type { ParDeTokens, TokenLido } from './token.regras.ts';
import { COLUNAS_DE_SESSAO, paraSessao } from './sessoes.types.ts';
import type { Dono, Sessao } from './sessoes.types.ts';

/** One generation of a session's tokens. */
export interface Geracao {
  readonly id: number;
  readonly geracao: number;
  readonly nonce: Buffer;
  readonly criadoEm: Date;
  readonly accessAte: Date;
  readonly refreshAte: Date;
  /** When either of its tokens was first shown. */
  readonly confirmadoEm: Date | null;
}

interface GeracaoRow {
  id: number;
  geracao: number;
  nonce: Buffer;
  criado_em: string;
  access_ate: string;
  refresh_ate: string;
  confirmado_em: string | null;
}

const DA_GERACAO = columns<GeracaoRow>('app_tokens', {
  id: true,
  geracao: true,
  nonce: true,
  criado_em: true,
  access_ate: true,
  refresh_ate: true,
  confirmado_em: true,
});

const UM_TOKEN = columns<{ id: number }>('app_tokens', { id: true });

const paraGeracao = (row: GeracaoRow): Geracao => ({
  id: row.id,
  geracao: row.geracao,
  nonce: row.nonce,
  criadoEm: fromDatabaseTime(row.criado_em),
  accessAte: fromDatabaseTime(row.access_ate),
  refreshAte: fromDatabaseTime(row.refresh_ate),
  confirmadoEm: row.confirmado_em === null ? null : fromDatabaseTime(row.confirmado_em),
});

/** Whether a session has, or had, this refresh token. */
export async function existeRefresh(
  tenant: TenantDb,
  { sessaoId, hash }: Pick<TokenLido, 'sessaoId' | 'hash'>,
): Promise<boolean> {
  const deste = tenant.from('app_tokens').where({ sessao_id: sessaoId, refresh_hash: Buffer.from(hash, 'hex') });
  return (await rowsOf(deste.limit(1), UM_TOKEN)).length > 0;
}

export const gerarNonce = (): Buffer => randomBytes(32);

/** Generations of sessions of the tenant that is written; whoever asks holds the session's lock. */
export function createTokensQueries(w: Write) {
  return {
    /** The session, locked until the transaction ends; undefined where there is none. */
    async travarSessao(id: number): Promise<{ readonly sessao: Sessao; readonly dono: Dono } | undefined> {
      const [row] = await rowsOf(w.from('app_sessoes').where({ id }).forUpdate(), COLUNAS_DE_SESSAO);
      if (row === undefined) return undefined;
      const dono = row.acesso_id === null ? { usuarioId: row.usuario_id ?? 0 } : { acessoId: row.acesso_id };
      return { sessao: paraSessao(row), dono };
    },

    async porRefresh(sessaoId: number, hash: string): Promise<Geracao | undefined> {
      const desta = w.from('app_tokens').where({ sessao_id: sessaoId, refresh_hash: Buffer.from(hash, 'hex') });
      const [row] = await rowsOf(desta, DA_GERACAO);
      return row === undefined ? undefined : paraGeracao(row);
    },

    async porNumero(sessaoId: number, geracao: number): Promise<Geracao | undefined> {
      const [row] = await rowsOf(w.from('app_tokens').where({ sessao_id: sessaoId, geracao }), DA_GERACAO);
      return row === undefined ? undefined : paraGeracao(row);
    },

    async inserir(
      sessaoId: number,
      { access, refresh }: ParDeTokens,
      nova: Omit<Geracao, 'id' | 'confirmadoEm'>,
    ): Promise<void> {
      const refresh_ate = toDatabaseTime(nova.refreshAte);
      await w.insert('app_tokens', {
        sessao_id: sessaoId,
        geracao: nova.geracao,
        nonce: nova.nonce,
        refresh_hash: resumoDoToken(refresh),
        access_hash: resumoDoToken(access),
        criado_em: toDatabaseTime(nova.criadoEm),
        access_ate: toDatabaseTime(nova.accessAte),
        refresh_ate,
      });
      await w.update('app_sessoes', (q) => void q.where('id', sessaoId), { vale_ate: refresh_ate });
    },

    async confirmar(id: number, agora: Date): Promise<void> {
      await w.update('app_tokens', (q) => void q.where({ id }).whereNull('confirmado_em'), {
        confirmado_em: toDatabaseTime(agora),
      });
    },
  };
}
