import type { IncomingMessage } from 'node:http';
import { isAnothersHost } from '../../access/hosts.ts';
import type { Hosts } from '../../access/hosts.ts';
import type { NetworkLimit } from '../../access/limits.ts';
import type { Procedencia } from '../../domain/actor.ts';
import type { ReceptoresService } from '../../domain/receptores/receptores.service.ts';
import type { ReceptorComProvedor } from '../../domain/receptores/receptores.types.ts';
import { requestHost, requestIdOf, sourceIp } from '../../platform/http/request.ts';
import { createIpList } from '../../platform/ip.ts';
import { recusar } from './erros.ts';

/** The receiver that a PSP speaks to, and where it speaks from. */
export interface Sessao extends ReceptorComProvedor, Procedencia {}

export interface PortaDeps {
  readonly receptores: Pick<ReceptoresService, 'buscarPorSegredo'>;
  readonly hosts: Hosts;
  /** Counts those that no receiver answers for. */
  readonly contarRede: NetworkLimit;
  /** Trusted proxies in front. */
  readonly proxies: number;
}

/** Lets a request in by the secret in its address, unless it is used on another provider's host. */
export function criarPorta({ receptores, hosts, contarRede, proxies }: PortaDeps) {
  /** @throws Failure */
  return async (request: IncomingMessage, segredo: string): Promise<Sessao> => {
    const ip = sourceIp(request, proxies);
    const encontrado = await receptores.buscarPorSegredo(segredo);
    if (encontrado === null || (await isAnothersHost(requestHost(request), encontrado.provedor, hosts))) {
      const { limit, exceeded } = await contarRede(ip);
      throw exceeded
        ? recusar('limite_excedido', { 'Retry-After': String(limit.resetSeconds) })
        : recusar('nao_encontrado');
    }
    const { ipsPermitidos } = encontrado.receptor;
    if (ipsPermitidos !== null && !createIpList(ipsPermitidos).has(ip)) throw recusar('ip_nao_autorizado');
    return { ...encontrado, ip, requestId: requestIdOf(request) };
  };
}
