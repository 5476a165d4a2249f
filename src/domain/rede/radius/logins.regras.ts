import { isIPv4 } from 'node:net';
import type { EstadoNaRede, Item } from '../rede.types.ts';

/** What of a contract its login is given or bound by. */
export interface LinhaDoContrato {
  readonly tipo_conexao: string;
  readonly ip: string | null;
  readonly ipv6_prefixo: string | null;
  readonly mac: string | null;
}

/** What a provider has us write of its logins. */
export interface EscritaDeLogins {
  /** Fixed addresses and delegated prefixes. */
  readonly enderecos: boolean;
  /** The MAC of a PPPoE line. */
  readonly prenderMac: boolean;
}

const IPV4 = 'Framed-IP-Address';
const PREFIXO = 'Delegated-IPv6-Prefix';
const ORIGEM = 'Calling-Station-Id';

/** What a login is answered beside its group, all rows of these names being ours. Nothing is given to who is refused. */
export function respostasDoLogin(
  { ip, ipv6_prefixo }: LinhaDoContrato,
  estado: EstadoNaRede,
  /** Whether who is blocked gets an address of a pool, which a fixed one would win over. */
  bloqueioPorPool: boolean,
): Item[] {
  const bloqueado = estado === 'bloqueado';
  return [
    ...(ip === null || !isIPv4(ip) || (bloqueado && bloqueioPorPool) ? [] : [{ attribute: IPV4, op: ':=', value: ip }]),
    // A pool or a list for IPv4 restricts no IPv6: while a line is blocked, nothing is routed to it.
    ...(ipv6_prefixo === null || bloqueado ? [] : [{ attribute: PREFIXO, op: ':=', value: ipv6_prefixo }]),
  ];
}

export const ehRespostaNossa = ({ attribute }: Item): boolean => attribute === IPV4 || attribute === PREFIXO;

/** What a login is accepted from: of a PPPoE line its MAC, however the NAS writes it. An IPoE line's login is its MAC, or where it is. */
export function condicoesDoLogin(
  { tipo_conexao, mac }: LinhaDoContrato,
  { prenderMac }: Pick<EscritaDeLogins, 'prenderMac'>,
): Item[] {
  if (!prenderMac || mac === null || tipo_conexao !== 'pppoe') return [];
  return [{ attribute: ORIGEM, op: '=~', value: padraoDoMac(mac) }];
}

/** Written so by us, and hardly by anybody else: what an operator wrote of a login's origin stays. */
export const ehCondicaoNossa = ({ attribute, op, value }: Item): boolean =>
  attribute === ORIGEM && op === '=~' && value.startsWith('^') && value.split(SEPARADOR).length === 6;

const SEPARADOR = '[-:.]?';

/** `00:1A:…`, `00-1a-…`, `001a.…`: FreeRADIUS compares texts by their case, and each NAS has its own way. */
function padraoDoMac(mac: string): string {
  const octetos = mac.toLowerCase().split(':');
  return `^${octetos.map((octeto) => octeto.replaceAll(/[a-f]/g, (letra) => `[${letra}${letra.toUpperCase()}]`)).join(SEPARADOR)}$`;
}
