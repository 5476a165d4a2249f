import type { IncomingMessage } from 'node:http';
import type { CredentialKind } from '../../access/door.ts';
import { rightsOfAll } from '../../access/rights/rights.ts';
import type { Procedencia } from '../../domain/actor.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { PermissaoPainel } from '../../domain/usuarios/permissoes.regras.ts';
import { lerSessao } from '../../domain/usuarios/sessoes/sessao.ts';
import { estadoDaSessao } from '../../domain/usuarios/sessoes/sessoes.regras.ts';
import type { SessaoDoPainel } from '../../domain/usuarios/sessoes/sessoes.types.ts';
import { isHttps } from '../../platform/http/request.ts';

/** Somebody of whom nothing is known but whose panel he opened. */
export interface Visita {
  readonly provedor: Provedor;
}

/** Who has signed in. */
export interface Sessao extends SessaoDoPainel, Procedencia {
  /** The name of the session at the gate. */
  readonly nome: string;
}

/** Why a request is not let in: by nobody's session, by one that is over, or by one that asks too often. */
export type Recusa = 'sem_sessao' | 'limite';

/** Requests of a session in a minute. */
const LIMITE = 600;

/** On plain http, as in development, browsers refuse the name and the attribute of a cookie that asks for TLS. */
const nomeDoCookie = (https: boolean): string => (https ? '__Host-malha_painel' : 'malha_painel');

/** The header that gives a browser a session, or takes it away (null). */
export function cookieDaSessao(texto: string | null, https: boolean): string {
  const valor = texto ?? 'nenhuma; Max-Age=0';
  return `${nomeDoCookie(https)}=${valor}; Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
}

function textoDaSessao(request: IncomingMessage, https: boolean): string | null {
  const nome = `${nomeDoCookie(https)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((um) => um.trim());
  return cookies.find((um) => um.startsWith(nome))?.slice(nome.length) ?? null;
}

const TODOS = rightsOfAll('painel');

export interface CredencialDeps {
  readonly buscarPorHash: (hash: string) => Promise<SessaoDoPainel | null>;
  /** Number of trusted proxies in front of the service. */
  readonly proxies: number;
}

/** Sessions of the panel, as the door looks them up: in the one round trip in which API keys are, and ended as they are. */
export function criarCredencial({
  buscarPorHash,
  proxies,
}: CredencialDeps): CredentialKind<SessaoDoPainel, Sessao, Recusa> {
  return {
    textOf: (request) => textoDaSessao(request, isHttps(request, proxies)),
    shapeOf(texto) {
      const lida = lerSessao(texto);
      return lida === null ? null : { tenantId: lida.provedorId, name: lida.nome, hash: lida.hash };
    },
    find: buscarPorHash,
    endedBy: (achada, agora) =>
      ['encerrada', 'vencida'].includes(estadoDaSessao(achada, agora)) ? 'sem_sessao' : null,
    barredFrom: () => null,
    limitOf: () => LIMITE,
    // The panel keeps no answers.
    rightsOf: () => TODOS,
    sessionOf: (achada, de, { name }) => ({ ...achada, ...de, nome: name }),
    refusals: { absent: 'sem_sessao', unknown: () => 'sem_sessao', limited: 'limite' },
  };
}

/** Whether a user may do any of these. */
export const pode = ({ perfil }: Pick<Sessao, 'perfil'>, ...permissoes: readonly PermissaoPainel[]): boolean =>
  permissoes.some((permissao) => perfil.permissoes.includes(permissao));
