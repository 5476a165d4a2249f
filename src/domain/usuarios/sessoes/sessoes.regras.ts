import { hash } from 'node:crypto';
import { exigemFator } from '../permissoes.regras.ts';
import type { PermissaoPainel } from '../permissoes.regras.ts';
import type { Politica, Sessao, SessaoDoPainel } from './sessoes.types.ts';

const MINUTO_MS = 60_000;
/** However much it is used. */
export const MAIOR_SESSAO_MS = 12 * 60 * MINUTO_MS;
/** Between the password and the second factor. */
const ENTRE_OS_FATORES_MS = 15 * MINUTO_MS;
const PROVA_MS = 10 * MINUTO_MS;
const MAIOR_AGENTE = 120;

/** What a session is good for; only `pronta` opens the panel. */
export type EstadoDaSessao = 'pronta' | 'segundo_fator' | 'cadastrar_fator' | 'encerrada' | 'vencida';

/** Whether somebody has to have a second factor. */
export const precisaDeFator = (permissoes: readonly PermissaoPainel[], politica: Politica): boolean =>
  !politica.demonstracao && (politica.exigirFator || exigemFator(permissoes));

/** What comes after the password, where no second factor was given. */
export function depoisDaSenha(
  temFator: boolean,
  permissoes: readonly PermissaoPainel[],
  politica: Politica,
): 'pronta' | 'segundo_fator' | 'cadastrar_fator' {
  if (temFator) return 'segundo_fator';
  return precisaDeFator(permissoes, politica) ? 'cadastrar_fator' : 'pronta';
}

/** Whether a session that nobody ended is neither too old nor too long out of use. */
export const estaAberta = ({ criadaEm, vistaEm }: Sessao, { ociosoMinutos }: Politica, agora: Date): boolean =>
  agora.getTime() - criadaEm.getTime() < MAIOR_SESSAO_MS &&
  agora.getTime() - vistaEm.getTime() < ociosoMinutos * MINUTO_MS;

export function estadoDaSessao({ sessao, usuario, perfil, politica }: SessaoDoPainel, agora: Date): EstadoDaSessao {
  if (sessao.encerradaEm !== null || !usuario.ativo) return 'encerrada';
  if (!estaAberta(sessao, politica, agora)) return 'vencida';
  const idade = agora.getTime() - sessao.criadaEm.getTime();
  if (sessao.fatorEm !== null) return 'pronta';
  const estado = depoisDaSenha(usuario.temFator, perfil.permissoes, politica);
  return estado !== 'pronta' && idade >= ENTRE_OS_FATORES_MS ? 'vencida' : estado;
}

/** Whether who is in a session has proved it a moment ago, as what is hard to undo asks for. */
export const provaRecente = ({ provadaEm }: Pick<Sessao, 'provadaEm'>, agora: Date): boolean =>
  provadaEm !== null && agora.getTime() - provadaEm.getTime() < PROVA_MS;

/**
 * The same by a second factor, or a recovery code: of who has a factor, nothing less adds or removes one. Otherwise a password alone would
 * put another factor in the place of his.
 */
export const provaPorFatorRecente = ({ fatorEm }: Pick<Sessao, 'fatorEm'>, agora: Date): boolean =>
  fatorEm !== null && agora.getTime() - fatorEm.getTime() < PROVA_MS;

/** Of what a browser says of itself, as much as tells one's own apart. */
export const encurtarAgente = (agente: string): string =>
  Array.from(agente.replace(/\p{C}/gu, '').trim()).slice(0, MAIOR_AGENTE).join('');

/**
 * Names of the windows in which tries at the door are counted at the gate: of an address, which must not be readable there, and of a
 * network. The second factor and the recent proof have the user's.
 */
export const janelasDaEntrada = (
  email: string,
  rede: string,
): { readonly daConta: string; readonly daRede: string } => ({
  daConta: `entrar:conta:${hash('sha256', email.trim().toLowerCase(), 'hex').slice(0, 32)}`,
  daRede: `entrar:rede:${rede}`,
});

export const janelaDoFator = (usuarioId: number): string => `entrar:fator:${usuarioId}`;

/** Where the documents are counted that somebody looked for in vain who sees them masked. */
export const janelaDosDocumentos = (usuarioId: number): string => `buscar:documento:${usuarioId}`;
