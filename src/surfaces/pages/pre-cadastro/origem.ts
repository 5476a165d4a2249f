import type { IncomingMessage } from 'node:http';
import { requestHost } from '../../../platform/http/request.ts';

/**
 * Whether the browser says that a post was sent by another site's page. A browser too old for `Sec-Fetch-Site` says so in
 * `Origin`, as far as it says anything: our pages send no Referer, and then it is `null` also for our own.
 */
export function veioDeFora(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  if (typeof site === 'string' && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined || origin === 'null') return false;
  // By host name: a proxy may pass on a Host without its port.
  const host = /^https?:\/\/(\[[^\]]*\]|[^/:]*)(?::\d+)?$/.exec(origin.toLowerCase())?.[1];
  return host !== requestHost(request);
}
