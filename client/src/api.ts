import { parse } from './errors.ts';
import { send } from './sending.ts';
import type { Answered, Sending } from './sending.ts';

/** What every operation's types say. */
interface AnyOperation {
  readonly request: object;
}

interface JsonOperation extends AnyOperation {
  readonly data: unknown;
  readonly list: boolean;
}

/** The names of operations that answer with something. */
type Named<Operations, Like> = Extract<
  { [Name in keyof Operations]: Operations[Name] extends Like ? Name : never }[keyof Operations],
  string
>;
type Answering<Operations> = Named<Operations, JsonOperation>;
type Listing<Operations> = Named<Operations, { readonly data: readonly unknown[]; readonly list: true }>;
type Downloading<Operations> = Named<Operations, { readonly file: true }>;

type RequestOf<Operation> = Operation extends AnyOperation ? Operation['request'] : never;
type DataOf<Operation> = Operation extends { readonly data: infer Data } ? Data : never;
type ItemOf<Operation> = DataOf<Operation> extends ReadonlyArray<infer Item> ? Item : never;

/** What may be said of any single request. */
export interface CallOptions {
  /** Of a write: names it for 24 h, so that it is done once however often it is sent. One is made where none is given. */
  readonly idempotencyKey?: string;
  /** Further headers, such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** What an operation is asked with; nothing at all where it needs nothing. */
type Asked<Request> = {} extends Request ? [asked?: Request & CallOptions] : [asked: Request & CallOptions];

/** Where a provider's service is, and who calls. */
export interface ApiOptions extends Sending {
  /** The host of the provider's panel, as `https://painel.provedor.com.br`. */
  readonly url: string;
  /** A key, or the access token of a session; as a function it is asked before each try. */
  readonly credential?: string | (() => string | Promise<string>);
  /** Called once when the token has run out, to refresh it; the request is then sent again. */
  readonly renew?: () => Promise<void>;
}

/** The operations of a surface, each by its method and path. */
export interface Api<Operations> {
  /** Asks for something and returns its data, out of the envelope. Throws `MalhaError` when it is refused. */
  call<Name extends Answering<Operations>>(
    name: Name,
    ...asked: Asked<RequestOf<Operations[Name]>>
  ): Promise<DataOf<Operations[Name]>>;
  /** Reads a list to its end, one part at a time as the loop goes on. */
  each<Name extends Listing<Operations>>(
    name: Name,
    ...asked: Asked<RequestOf<Operations[Name]>>
  ): AsyncGenerator<ItemOf<Operations[Name]>, void, undefined>;
  /** Asks for a file. Its body is a stream, which is the caller's to read. */
  download<Name extends Downloading<Operations>>(
    name: Name,
    ...asked: Asked<RequestOf<Operations[Name]>>
  ): Promise<Response>;
}

/** A request as it comes, whatever its operation. */
interface Loose extends CallOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** An answer of either surface: a list says where its next part is. */
interface Answer {
  readonly data?: unknown;
  readonly dados?: unknown;
  readonly meta?: { readonly next_cursor: string | null };
  readonly paginacao?: { readonly pagina: number; readonly total_paginas: number };
}

/**
 * The operations of the surface at `base`.
 *
 * @param repeatable the names of those that take an Idempotency-Key.
 */
export function createApi<Operations>(
  base: string,
  repeatable: readonly string[],
  options: ApiOptions,
): Api<Operations> {
  const root = new URL(options.url).origin + base;

  async function ask(name: string, { path = {}, query = {}, body, ...call }: Loose, file: boolean): Promise<Answered> {
    const [method = '', template = ''] = name.split(' ');
    const url = new URL(root + template.replaceAll(/\{(\w+)\}/g, (_, field: string) => inPath(field, path[field])));
    for (const [field, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(field, String(value));
    }
    const key = repeatable.includes(name) ? (call.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const own = {
      accept: '*/*',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...call.headers,
    };
    return send(
      {
        url: url.href,
        method,
        headers: async () => ({ ...(await authorization(options.credential)), ...own }),
        body: body === undefined ? undefined : JSON.stringify(body),
        safe: method === 'GET' || key !== undefined,
        file,
        signal: call.signal,
        renew: options.renew,
      },
      options,
    );
  }

  async function answer(name: string, asked: Loose): Promise<Answer> {
    const { text } = await ask(name, asked, false);
    const body = parse(text);
    if (typeof body !== 'object' || body === null) throw new Error(`The answer to ${name} is not JSON.`);
    return body;
  }

  async function* each(name: string, asked: Loose): AsyncGenerator<unknown, void, undefined> {
    for (let next: Loose['query'] | null = {}; next !== null;) {
      const part = await answer(name, { ...asked, query: { ...asked.query, ...next } });
      yield* dataOf(part) as readonly unknown[];
      next = nextOf(part);
    }
  }

  return {
    call: async (name: string, asked: Loose = {}) => dataOf(await answer(name, asked)),
    each: (name: string, asked: Loose = {}) => each(name, asked),
    download: async (name: string, asked: Loose = {}) => (await ask(name, asked, true)).response,
    // The types of the operations are known to the caller alone.
  } as unknown as Api<Operations>;
}

function inPath(field: string, value: string | number | undefined): string {
  if (value === undefined || value === '') throw new TypeError(`${field} is missing.`);
  // A URL takes these for steps of its path, and would name another operation.
  if (value === '.' || value === '..') throw new TypeError(`${field} cannot be ${value}.`);
  return encodeURIComponent(value);
}

const dataOf = (body: Answer): unknown => ('data' in body ? body.data : body.dados);

/** The parameters of a list's next part, or null at its end. */
function nextOf({ meta, paginacao }: Answer): Readonly<Record<string, string | number>> | null {
  if (meta !== undefined) return meta.next_cursor === null ? null : { cursor: meta.next_cursor };
  if (paginacao === undefined || paginacao.pagina >= paginacao.total_paginas) return null;
  return { pagina: paginacao.pagina + 1 };
}

async function authorization(credential: ApiOptions['credential']): Promise<Record<string, string>> {
  if (credential === undefined) return {};
  const text = typeof credential === 'function' ? await credential() : credential;
  return { authorization: `Bearer ${text}` };
}
