import type { IncomingMessage } from 'node:http';
import { fimDoToken } from '../domain/acessos/sessoes/sessoes.regras.ts';
import type { Procedencia } from '../domain/actor.ts';
import type { SessaoDoApp } from '../domain/acessos/sessoes/sessoes.types.ts';
import { lerToken } from '../domain/acessos/sessoes/token.regras.ts';
import type { Rights } from '../kit/rights/rights.ts';
import type { CredentialKind } from './door.ts';
import { rightsByPermissions, rightsOfAll } from './rights/rights.ts';

/** The caller: a subscriber or one of the staff, in a session of the app, and the request. */
export interface AppSession extends SessaoDoApp, Procedencia {
  /** A name that is unique among the provider's sessions and reveals nothing of its tokens. */
  readonly reader: string;
  readonly rights: Rights;
}

/** The codes of refusals of an access token; only `token_expirado` asks for a refresh. */
export type AppRefusal =
  'credencial_ausente' | 'token_invalido' | 'token_expirado' | 'sessao_encerrada' | 'limite_excedido';

/** Requests of a session in a minute. */
const LIMIT = 120;

/** What a subscriber reads is kept for him alone. */
const OF_SUBSCRIBERS = rightsOfAll('cliente');

export interface AppSessionsDeps {
  readonly buscarPorHash: (hash: string) => Promise<SessaoDoApp | null>;
}

/**
 * Sessions of the app, sent as `Authorization: Bearer malha_at_…`. All access tokens of a session share its window and its tag, so its end
 * reaches every process in the round trip that admits a request.
 */
export function createAppSessions({
  buscarPorHash,
}: AppSessionsDeps): CredentialKind<SessaoDoApp & { readonly rights: Rights }, AppSession, AppRefusal> {
  return {
    textOf: textOfToken,
    shapeOf(text) {
      const read = lerToken('at', text);
      return read === null ? null : { tenantId: read.provedorId, name: read.nome, hash: read.hash };
    },
    async find(hash) {
      const found = await buscarPorHash(hash);
      if (found === null) return null;
      const { quem } = found;
      return {
        ...found,
        rights: quem.tipo === 'cliente' ? OF_SUBSCRIBERS : rightsByPermissions('equipe', quem.permissoes),
      };
    },
    endedBy: fimDoToken,
    barredFrom: () => null,
    limitOf: () => LIMIT,
    // Named one by one, which is for each request: to copy whatever an object has takes several times as long.
    sessionOf: ({ sessao, token, provedor, quem, rights }, { ip, requestId }, { name: reader }) => ({
      sessao,
      token,
      provedor,
      quem,
      rights,
      ip,
      requestId,
      reader,
    }),
    rightsOf: ({ rights }) => rights,
    refusals: { absent: 'credencial_ausente', unknown: () => 'token_invalido', limited: 'limite_excedido' },
  };
}

/** The access token that a request carries; null when it carries none. */
function textOfToken({ headers: { authorization } }: IncomingMessage): string | null {
  return authorization === undefined ? null : (/^bearer +(\S.*)$/i.exec(authorization.trim())?.[1] ?? null);
}
