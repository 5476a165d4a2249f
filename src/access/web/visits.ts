import type { IncomingMessage } from 'node:http';
import type { Procedencia } from '../../domain/actor.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Entry } from '../../kit/http/door.ts';
import { requestHost, requestIdOf, withoutPort } from '../../platform/http/request.ts';
import type { Hosts } from '../hosts.ts';
import type { NetworkLimit } from '../limits.ts';

export interface VisitsDeps<Session, Code> {
  readonly hosts: Hosts;
  readonly provedorPorId: (id: number) => Promise<Provedor | null>;
  readonly countNetwork: (ip: string, request: IncomingMessage) => ReturnType<NetworkLimit>;
  readonly sessionOf: (provedor: Provedor, from: Procedencia) => Session;
  readonly refusals: { readonly noTenant: Code; readonly limited: Code };
}

/**
 * Admits whoever calls a route that takes no credential. Which provider is meant is said by the host and, on a host
 * that belongs to none, by `X-Panel-Host`.
 */
export function createVisits<Session, Code>(deps: VisitsDeps<Session, Code>) {
  const { hosts, provedorPorId, countNetwork, sessionOf, refusals } = deps;

  async function tenantOf(request: IncomingMessage): Promise<Provedor | null> {
    const { 'x-panel-host': named } = request.headers;
    const own = await hosts.idPorHost(requestHost(request));
    const id = own ?? (typeof named === 'string' ? await hosts.idPorHost(withoutPort(named.trim())) : null);
    return id === null ? null : provedorPorId(id);
  }

  return async (request: IncomingMessage, ip: string): Promise<Entry<Session, Code>> => {
    const { limit, exceeded } = await countNetwork(ip, request);
    if (exceeded) return { admitted: false, limit, refusal: refusals.limited };
    const provedor = await tenantOf(request);
    if (provedor === null) return { admitted: false, limit, refusal: refusals.noTenant };
    const session = sessionOf(provedor, { ip, requestId: requestIdOf(request) });
    return { admitted: true, limit, session, tagState: null, looked: null };
  };
}
