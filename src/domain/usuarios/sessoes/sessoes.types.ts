import { columns } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { PermissaoPainel } from '../permissoes.regras.ts';

export interface Sessao {
  readonly id: number;
  /** Hexadecimal. */
  readonly hash: string;
  readonly criadaEm: Date;
  /** At most a minute behind. */
  readonly vistaEm: Date;
  /** When the second factor was last given; null where it was not, or there is none. */
  readonly fatorEm: Date | null;
  /** When whoever is in it last proved who he is. */
  readonly provadaEm: Date | null;
  readonly ip: string;
  readonly agente: string;
  readonly encerradaEm: Date | null;
}

/** A session with all that a request needs to be admitted. */
export interface SessaoDoPainel {
  readonly sessao: Sessao;
  readonly usuario: {
    readonly id: number;
    readonly nome: string;
    readonly email: string;
    readonly ativo: boolean;
    /** Whether he has confirmed a second factor. */
    readonly temFator: boolean;
    readonly preferencias: Preferencias;
  };
  readonly perfil: { readonly id: number; readonly nome: string; readonly permissoes: readonly PermissaoPainel[] };
  readonly provedor: Provedor;
  readonly politica: Politica;
}

/** What the panel looks like for somebody. */
export type Preferencias = Readonly<Record<string, string | number | boolean | null>>;

/** What a provider asks of sessions. */
export interface Politica {
  /** A second factor of everybody, and not of those alone whose profile asks for it. */
  readonly exigirFator: boolean;
  readonly ociosoMinutos: number;
  /** Of whom no second factor is asked. */
  readonly demonstracao: boolean;
}

export interface PoliticaRow {
  exigir_fator: number;
  ocioso_minutos: number;
  demonstracao: number;
}

export const COLUNAS_DE_POLITICA = columns<PoliticaRow>('provedores', {
  exigir_fator: true,
  ocioso_minutos: true,
  demonstracao: true,
});

export const paraPolitica = (row: PoliticaRow): Politica => ({
  exigirFator: row.exigir_fator === 1,
  ociosoMinutos: row.ocioso_minutos,
  demonstracao: row.demonstracao === 1,
});

export interface SessaoRow {
  sessao_id: number;
  hash: Buffer;
  criada_em: string;
  vista_em: string;
  fator_em: string | null;
  provada_em: string | null;
  ip: string;
  agente: string;
  encerrada_em: string | null;
}

export const COLUNAS_DE_SESSAO = columns<SessaoRow>('painel_sessoes', {
  sessao_id: 'painel_sessoes.id',
  hash: true,
  criada_em: true,
  vista_em: true,
  fator_em: true,
  provada_em: true,
  ip: true,
  agente: true,
  encerrada_em: true,
});

const instanteOuNulo = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

export const paraSessao = (row: SessaoRow): Sessao => ({
  id: row.sessao_id,
  hash: row.hash.toString('hex'),
  criadaEm: fromDatabaseTime(row.criada_em),
  vistaEm: fromDatabaseTime(row.vista_em),
  fatorEm: instanteOuNulo(row.fator_em),
  provadaEm: instanteOuNulo(row.provada_em),
  ip: row.ip,
  agente: row.agente,
  encerradaEm: instanteOuNulo(row.encerrada_em),
});
