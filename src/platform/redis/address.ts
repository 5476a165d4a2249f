import type { ClusterNode, RedisOptions } from 'ioredis';

/** What an address says of a connection. */
type AddressOptions = Pick<
  RedisOptions,
  | 'username'
  | 'password'
  | 'tls'
  | 'name'
  | 'db'
  | 'sentinels'
  | 'sentinelPassword'
  | 'sentinelTLS'
  | 'enableTLSForSentinelMode'
>;

/** Where Redis is: one server, the masters of a Cluster, or the master that Sentinels name. */
export type RedisAddress =
  | { readonly kind: 'one'; readonly url: string }
  | { readonly kind: 'cluster'; readonly nodes: ClusterNode[]; readonly options: AddressOptions }
  | { readonly kind: 'sentinel'; readonly options: AddressOptions };

/** What an address of Redis has to look like. */
export const REDIS_ADDRESS = '^(rediss?(\\+(cluster|sentinel))?://|unix://|/)';

const MANY = /^redis(s?)\+(cluster|sentinel):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/;
const PORTS = { cluster: 6379, sentinel: 26_379 } as const;
const HIGHEST_PORT = 65_535;

/** How each is written. */
const FORMS = {
  cluster: 'redis+cluster://host:porta,host:porta',
  sentinel: 'redis+sentinel://host:porta,host:porta/nome/0',
} as const;

/** An address that cannot be meant. Its message says what is wrong and names neither hosts nor passwords. */
class RedisAddressError extends Error {}

/**
 * Reads an address.
 *
 * - one: `redis://` or `rediss://` (also with `?path=/socket`), `unix:///socket?db=1`, or a socket's path with or without `?db=1`
 * - Cluster: `redis+cluster://user:password@host:port,host:port`, any of its nodes
 * - Sentinel: `redis+sentinel://user:password@host:port,host:port/name/db?sentinelPassword=…`, the addresses being those of Sentinels
 *
 * @throws RedisAddressError
 */
export function readAddress(url: string): RedisAddress {
  const found = MANY.exec(url);
  // ioredis reads a bare path with its query, but not the unix: scheme.
  if (found === null) return { kind: 'one', url: url.replace(/^unix:\/\//, '') };
  const [, tls, kind = '', authority = '', path = '', query, fragment] = found;
  if (fragment !== undefined) throw new RedisAddressError('um # se escreve %23');
  const at = authority.lastIndexOf('@');
  const [username = '', password = ''] = splitOnce(authority.slice(0, Math.max(0, at)), ':').map(decode);
  const options: AddressOptions = {
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(tls === 's' ? { tls: {} } : {}),
  };
  const hosts = authority.slice(at + 1);
  if (kind === 'cluster') {
    if (!['', '/', '/0'].includes(path)) throw new RedisAddressError('um Redis Cluster só tem o banco 0');
    if (query !== undefined) throw new RedisAddressError(`nada vem depois de ${FORMS.cluster}`);
    return { kind, nodes: readHosts(hosts, 'cluster'), options };
  }
  return { kind: 'sentinel', options: { ...options, ...readSentinels(hosts, path, query, tls === 's') } };
}

function readSentinels(hosts: string, path: string, query: string | undefined, tls: boolean): AddressOptions {
  const [name = '', db = '', ...more] = path.slice(1).split('/');
  if (name === '') throw new RedisAddressError(`falta o nome do mestre: ${FORMS.sentinel}`);
  if (!/^\d{0,5}$/.test(db)) throw new RedisAddressError(`o banco do Redis é um número: ${FORMS.sentinel}`);
  if (more.length > 0) throw new RedisAddressError(`nada vem depois do banco: ${FORMS.sentinel}`);
  const said = splitOnce(query ?? '', '=');
  const [option = '', sentinelPassword = ''] = said.map(decode);
  if (query !== undefined && (option !== 'sentinelPassword' || sentinelPassword === '' || query.includes('&'))) {
    throw new RedisAddressError('depois de ? só vem sentinelPassword=senha');
  }
  return {
    name: decode(name),
    db: Number(db),
    sentinels: readHosts(hosts, 'sentinel'),
    ...(query === undefined ? {} : { sentinelPassword }),
    ...(tls ? { sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  };
}

function readHosts(text: string, kind: keyof typeof PORTS): { host: string; port: number }[] {
  if (text.trim() === '') throw new RedisAddressError(`faltam os endereços: ${FORMS[kind]}`);
  const hosts = text.split(',').map((one) => readHost(one.trim(), kind));
  const names = new Set(hosts.map(({ host, port }) => `${host.toLowerCase()} ${port}`));
  if (names.size < hosts.length) throw new RedisAddressError('o mesmo endereço está duas vezes');
  return hosts;
}

function readHost(text: string, kind: keyof typeof PORTS): { host: string; port: number } {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::(\d+))?$/.exec(text);
  if (found === null) throw new RedisAddressError(`cada endereço é host:porta: ${FORMS[kind]}`);
  const port = found[3] === undefined ? PORTS[kind] : Number(found[3]);
  if (port < 1 || port > HIGHEST_PORT) throw new RedisAddressError(`as portas vão de 1 a ${HIGHEST_PORT}`);
  return { host: found[1] ?? found[2] ?? '', port };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError('um % que não começa um código, como %40 por @, se escreve %25');
  }
}

function splitOnce(text: string, by: string): string[] {
  const at = text.indexOf(by);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const SETTINGS = ['REDIS_URL', 'QUEUE_REDIS_URL'] as const;

/** What is wrong with the addresses of the settings, a line for each. */
export function redisFaults(settings: { readonly [Name in (typeof SETTINGS)[number]]?: string }): string[] {
  return SETTINGS.flatMap((name) => {
    try {
      readAddress(settings[name] ?? '');
      return [];
    } catch (error) {
      if (error instanceof RedisAddressError) return [`Configuração inválida: ${name} — ${error.message}.`];
      throw error;
    }
  });
}
