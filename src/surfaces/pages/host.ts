import type { IncomingMessage } from 'node:http';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { ProvedoresService } from '../../domain/provedores/provedores.service.ts';
import { requestHost } from '../../platform/http/request.ts';

export type Hosts = Pick<ProvedoresService, 'idPorHost'>;

/** Whether a link was opened on another provider's host; a host of no provider shows everyone's. */
export async function abertoEmOutro(request: IncomingMessage, provedor: Provedor, hosts: Hosts): Promise<boolean> {
  const host = requestHost(request);
  return host !== provedor.panelHost && (await hosts.idPorHost(host)) !== null;
}
