import type { Dono, SessaoDoApp } from './sessoes.types.ts';

const MINUTO_MS = 60_000;
const DIA_MS = 24 * 60 * MINUTO_MS;

const ACCESS_MS = 15 * MINUTO_MS;

/** How long a refresh token holds from its issue, and a session from its login. */
const VIDAS = {
  assinante: { refreshMs: 90 * DIA_MS, sessaoMs: 400 * DIA_MS },
  equipe: { refreshMs: 12 * 60 * MINUTO_MS, sessaoMs: 7 * DIA_MS },
} as const;

export type TipoDeDono = keyof typeof VIDAS;

/** Sessions that a subscriber may have at a time; the oldest ends. */
export const MAIS_SESSOES = 10;

/** Two tabs of an app may present one refresh token. */
const TOLERANCIA_MS = 30_000;

export const MAIOR_APARELHO = 80;

/** Name of the tag and of the window of a session of the app; see `SessaoDoPainel` for those of the panel. */
export const nomeDaSessaoDoApp = (sessaoId: number): string => `app:${sessaoId}`;

/** Whose session it is that a request came with. */
export const donoDe = ({ quem }: Pick<SessaoDoApp, 'quem'>): Dono =>
  quem.tipo === 'cliente' ? { acessoId: quem.acessoId } : { usuarioId: quem.id };

export const limiteDaSessao = (dono: TipoDeDono, agora: Date): Date => new Date(agora.getTime() + VIDAS[dono].sessaoMs);

/** Until when the tokens hold that are issued now; never beyond the session's own end. */
export function validades(
  dono: TipoDeDono,
  limiteEm: Date,
  agora: Date,
): { readonly accessAte: Date; readonly refreshAte: Date } {
  const ate = (ms: number): Date => new Date(Math.min(agora.getTime() + ms, limiteEm.getTime()));
  return { accessAte: ate(ACCESS_MS), refreshAte: ate(VIDAS[dono].refreshMs) };
}

/**
 * Whether a refresh token whose successor exists may still be answered with that successor: nobody has shown it yet, or it is so young
 * that the app may have asked twice.
 */
export const respondeDeNovo = (
  seguinte: { readonly criadoEm: Date; readonly confirmadoEm: Date | null },
  agora: Date,
): boolean => seguinte.confirmadoEm === null || agora.getTime() - seguinte.criadoEm.getTime() < TOLERANCIA_MS;

/** Why a session's access token lets nobody in; null where it does. Only `token_expirado` asks for a refresh. */
export function fimDoToken(
  { sessao, token, quem }: Pick<SessaoDoApp, 'sessao' | 'token' | 'quem'>,
  agora: Date,
): 'sessao_encerrada' | 'token_expirado' | null {
  // As numbers: this is asked for each request, and to compare Dates takes many times as long.
  const ms = agora.getTime();
  if (sessao.encerradaEm !== null || sessao.limiteEm.getTime() <= ms || !quem.ativo) return 'sessao_encerrada';
  return token.accessAte.getTime() <= ms ? 'token_expirado' : null;
}
