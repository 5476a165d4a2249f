import { columns } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { PermissaoPainel } from '../../usuarios/permissoes.regras.ts';

export type MotivoDoFim = 'saida' | 'senha' | 'reuso' | 'equipe' | 'excesso' | 'sem_alcance';

/** Whose a session is: a subscriber's access, or somebody of the staff. */
export type Dono = { readonly acessoId: number } | { readonly usuarioId: number };

/** A session of the app, as its owner sees it in his list. */
export interface Sessao {
  readonly id: number;
  /** What the app said of the device. */
  readonly aparelho: string | null;
  /** Of the login: the address, or with IPv6 its /64. */
  readonly rede: string;
  readonly criadaEm: Date;
  /** However much it is used. */
  readonly limiteEm: Date;
  /** Calendar date (UTC) of its last use. */
  readonly usadaEm: string;
  readonly encerradaEm: Date | null;
}

/** An access token with all that a request needs to be admitted. */
export interface SessaoDoApp {
  readonly sessao: Sessao;
  readonly token: { readonly accessAte: Date };
  readonly provedor: Provedor;
  readonly quem:
    | {
        readonly tipo: 'cliente';
        readonly acessoId: number;
        /** The registration that is the client; 0 where none is reached, and then it is not `ativo`. */
        readonly clienteId: number;
        /** What he reaches: all registrations of this tax id that are more than `pre_cadastro`. */
        readonly cpfCnpj: string;
        readonly trocarSenha: boolean;
        readonly ativo: boolean;
      }
    | {
        readonly tipo: 'equipe';
        readonly id: number;
        readonly nome: string;
        readonly permissoes: readonly PermissaoPainel[];
        /** Whether the profile needs a second factor, and he has none. */
        readonly faltaFator: boolean;
        readonly ativo: boolean;
      };
}

/** What an app is given when it signs in or refreshes. */
export interface TokensEmitidos {
  readonly sessaoId: number;
  readonly access: string;
  readonly accessAte: Date;
  readonly refresh: string;
  readonly refreshAte: Date;
  /** Whether nothing else may be done before the password is changed. */
  readonly trocarSenha: boolean;
}

export interface SessaoRow {
  sessao_id: number;
  acesso_id: number | null;
  usuario_id: number | null;
  aparelho: string | null;
  rede: string;
  criada_em: string;
  limite_em: string;
  usada_em: string;
  encerrada_em: string | null;
}

export const COLUNAS_DE_SESSAO = columns<SessaoRow>('app_sessoes', {
  sessao_id: 'app_sessoes.id',
  acesso_id: true,
  usuario_id: true,
  aparelho: true,
  rede: true,
  criada_em: true,
  limite_em: true,
  usada_em: true,
  encerrada_em: true,
});

export const paraSessao = (row: SessaoRow): Sessao => ({
  id: row.sessao_id,
  aparelho: row.aparelho,
  rede: row.rede,
  criadaEm: fromDatabaseTime(row.criada_em),
  limiteEm: fromDatabaseTime(row.limite_em),
  usadaEm: row.usada_em,
  encerradaEm: row.encerrada_em === null ? null : fromDatabaseTime(row.encerrada_em),
});
