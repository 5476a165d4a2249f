import type { IncomingMessage } from 'node:http';
import { createAppSessions } from '../../access/app-sessions.ts';
import type { AppSessionsDeps } from '../../access/app-sessions.ts';
import type { AppSession } from '../../access/callers.ts';
import { createDoor } from '../../access/door.ts';
import type { CredentialKind, DoorDeps } from '../../access/door.ts';
import { anyOf, asAnyKind } from '../../access/kinds.ts';
import type { AnyKind } from '../../access/kinds.ts';
import { textOfKey } from '../../access/keys.ts';
import type { KeyRefusal, KeySession } from '../../access/keys.ts';
import { rightsOfAll } from '../../access/rights/rights.ts';
import { createVisits } from '../../access/web/visits.ts';
import type { NetworkLimit } from '../../access/limits.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Door } from '../../kit/http/door.ts';
import type { CodigoErro } from '../../surfaces/app-api/erros.ts';
import { BASE } from '../../surfaces/app-api/rota.ts';

/** Below it, routes without a credential have limits of their own. */
const AUTH = `${BASE}/auth/`;

/** How every access token begins. */
const TOKEN = 'malha_at_';

const OF_VISITORS = rightsOfAll('visitante');

export interface AppDoorDeps<Key extends { readonly provedor: Provedor }> extends Omit<
  DoorDeps<never, AppSession, CodigoErro>,
  'kind'
> {
  readonly keys: CredentialKind<Key, KeySession, KeyRefusal>;
  readonly sessions: AppSessionsDeps;
  readonly provedorPorId: (id: number) => Promise<Provedor | null>;
  /** Counts those who sign in and refresh. */
  readonly countAuth: NetworkLimit;
}

/** The door of `/v1`: which credentials it takes, and who comes in without one. */
export function composeAppDoor<Key extends { readonly provedor: Provedor }>({
  keys,
  sessions: found,
  provedorPorId,
  countAuth,
  ...deps
}: AppDoorDeps<Key>): Door<AppSession, CodigoErro> {
  const { relogio, hosts, countNetwork } = deps;
  const sessions = createAppSessions(found);
  const kinds: readonly AnyKind<AppSession, CodigoErro>[] = [
    asAnyKind({
      ...keys,
      // Only the absence of a credential has another code here, and that is not asked of one kind among others.
      endedBy: (record, now) => ofKey(keys.endedBy(record, now)),
      barredFrom: (record, ip) => ofKey(keys.barredFrom(record, ip)),
      sessionOf: (record, from, shape) => ({
        ...keys.sessionOf(record, from, shape),
        kind: 'chave',
        at: relogio.agora(),
      }),
    }),
    asAnyKind({
      ...sessions,
      sessionOf(record, from, shape) {
        const { sessao, token, provedor, quem, rights, ip, requestId, reader } = sessions.sessionOf(
          record,
          from,
          shape,
        );
        const at = relogio.agora();
        // Named one by one, which is faster; see access/app-sessions.ts.
        return quem.tipo === 'cliente'
          ? { kind: quem.tipo, quem, sessao, token, provedor, rights, ip, requestId, reader, at }
          : { kind: quem.tipo, quem, sessao, token, provedor, rights, ip, requestId, reader, at };
      },
    }),
  ];
  const door = createDoor({
    ...deps,
    kind: anyOf<AppSession, CodigoErro>(kinds, {
      textOf: textOfKey,
      refusals: {
        absent: 'credencial_ausente',
        unknown: (text) => (text.startsWith(TOKEN) ? 'token_invalido' : 'chave_invalida'),
        limited: 'limite_excedido',
      },
    }),
  });
  const visit = createVisits<AppSession, CodigoErro>({
    hosts,
    provedorPorId,
    countNetwork: async (ip: string, { url = '' }: IncomingMessage) =>
      url.startsWith(AUTH) ? countAuth(ip) : countNetwork(ip),
    sessionOf: (provedor, { ip, requestId }) => ({
      kind: 'visitante',
      provedor,
      ip,
      requestId,
      reader: 'visitante',
      rights: OF_VISITORS,
      at: relogio.agora(),
    }),
    refusals: { noTenant: 'provedor_desconhecido', limited: 'limite_excedido' },
  });
  return { ...door, visit };
}

const ofKey = (code: KeyRefusal | null): CodigoErro | null => (code === 'chave_ausente' ? 'credencial_ausente' : code);
