import type { LookupAddress } from 'node:dns';
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import type { AgentOptions, ClientRequest, IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIPv4 } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import type { OwnEndpoint } from './addresses.ts';
import { mayConnect } from './addresses.ts';
import { FAILURES, OutboundFailure, certificateRefused, failureOf } from './failure.ts';
import type { ResolveName } from './resolving.ts';
import { literalAddress, portOf, readUrl } from './url.ts';
import type { UrlRules } from './url.ts';

export interface OutboundDeps {
  readonly rules: UrlRules;
  readonly resolve: ResolveName;
  /** The service's own servers, which nobody may have it call. */
  readonly own: () => Promise<readonly OwnEndpoint[]>;
  /** Certificates that are trusted instead of the usual ones, in tests. */
  readonly ca?: string;
  /** Shorter waits, in tests; milliseconds. */
  readonly patience?: { readonly connectMs: number; readonly wholeMs: number };
}

interface OutboundRequest {
  readonly url: string;
  readonly method: 'POST' | 'GET' | 'PUT' | 'DELETE' | 'PATCH';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Shows a certificate of ours (mTLS), and trusts those of `ca` instead of the usual ones; PEM. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: readonly string[] };
  /** Bytes of the answer that are read at most, instead of 64 KiB. */
  readonly longestAnswer?: number;
  /** Milliseconds that all of it may take, instead of 15 s. */
  readonly wholeMs?: number;
}

interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** At most 64 KiB, or what was asked for; what comes after them is not read. */
  readonly body: Buffer;
}

/** The one way in which the program calls an address that a tenant typed. */
export interface Outbound {
  /** Reads a URL as `send` will. @throws UrlRefused */
  check(url: string): URL;
  /**
   * Sends one request and reads the answer, whatever its status. Redirects are not followed, no proxy of the environment
   * is used, and nothing is remembered between requests but open connections.
   *
   * @throws OutboundFailure
   */
  send(request: OutboundRequest): Promise<OutboundResponse>;
  /** Lets one server be called although its address is not public: a demonstration's, beside this program. */
  permit(server: OwnEndpoint): void;
  close(): void;
}

const PATIENCE = { connectMs: 5000, wholeMs: 15_000 } as const;
const LONGEST_ANSWER = 64 * 1024;
const MOST_HEADERS = 16 * 1024;
/** Idle connections that are kept open, in all, and for how long. */
const IDLE_CONNECTIONS = 256;
const IDLE_MS = 20_000;
/** Of a name with several addresses: how long one is tried before the next. The last one has what is left. */
const ADDRESS_MS = 1500;

/**
 * Names are resolved here and nowhere else: every address of a name is judged, and the socket is opened to the judged
 * ones, so that no second look-up can say something else. An open connection stays with the address that was judged.
 */
export function createOutbound({ rules: set, resolve, own, ca, patience = PATIENCE }: OutboundDeps): Outbound {
  const servers: OwnEndpoint[] = [];
  const rules = { ...set, servers };

  async function judge(addresses: readonly string[], port: number): Promise<void> {
    const ours = await own();
    if (!addresses.every((address) => mayConnect({ address, port }, rules, ours))) {
      throw new OutboundFailure(FAILURES.forbidden);
    }
  }

  /** Gives a socket the addresses that were judged, all of them: it is asked so because it may choose between families. */
  const lookupFor = (port: number): LookupFunction => {
    const judged = callbackify(async (name: string): Promise<LookupAddress[]> => {
      const addresses = await resolve(name);
      if (addresses.length === 0) throw new OutboundFailure(FAILURES.dns);
      await judge(addresses, port);
      return addresses.map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
    });
    return (name, _options, done) => judged(name, (error, addresses) => done(error, addresses));
  };

  const kept: AgentOptions = {
    keepAlive: true,
    maxFreeSockets: IDLE_CONNECTIONS,
    maxTotalSockets: Infinity,
    timeout: IDLE_MS,
    scheduling: 'lifo',
  };
  const agents = { 'http:': new PlainAgent(kept), 'https:': new SecureAgent(kept) };

  function open(url: URL, { method, headers, body, tls }: OutboundRequest, signal: AbortSignal): ClientRequest {
    const options = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
      lookup: lookupFor(portOf(url)),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_MS,
      maxHeaderSize: MOST_HEADERS,
      signal,
    };
    const trusting = ca === undefined ? {} : { ca };
    // The agent keeps the connections of each certificate apart.
    const showing =
      tls === undefined ? {} : { key: tls.key, cert: tls.cert, ...(tls.ca === undefined ? {} : { ca: [...tls.ca] }) };
    return url.protocol === 'http:'
      ? plainRequest(url, { ...options, agent: agents['http:'] })
      : secureRequest(url, { ...options, agent: agents['https:'], ...trusting, ...showing });
  }

  return {
    check: (url) => readUrl(url, rules),

    async send(asked) {
      const url = readUrl(asked.url, rules);
      const literal = literalAddress(url);
      // A socket to an address asks for no look-up.
      if (literal !== null) await judge([literal], portOf(url));
      const stop = new AbortController();
      const late = setTimeout(() => stop.abort(), asked.wholeMs ?? patience.wholeMs);
      let connecting: NodeJS.Timeout | undefined;
      let connected = false;
      try {
        const response = await new Promise<IncomingMessage>((done, failed) => {
          const request = open(url, asked, stop.signal);
          connecting = setTimeout(() => stop.abort(), patience.connectMs);
          request.on('error', failed);
          request.on('socket', (socket) => {
            const onConnect = (): void => {
              clearTimeout(connecting);
              connected = true;
            };
            // One that is used again is connected already.
            if (request.reusedSocket) onConnect();
            else socket.once(url.protocol === 'http:' ? 'connect' : 'secureConnect', onConnect);
          });
          request.on('response', done);
          request.end(asked.body);
        });
        clearTimeout(connecting);
        return await readAnswer(response, asked.longestAnswer ?? LONGEST_ANSWER);
      } catch (error) {
        const failure = failureOf(error, stop.signal.aborted);
        // An answer that cannot be decrypted is no refusal to encrypt: the request may have arrived.
        const mayHaveArrived = connected && failure.reason === FAILURES.tls && !certificateRefused(error);
        throw mayHaveArrived ? new OutboundFailure(FAILURES.broken) : failure;
      } finally {
        clearTimeout(late);
        clearTimeout(connecting);
      }
    },

    permit: (server) => void servers.push(server),

    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function readAnswer(response: IncomingMessage, longest: number): Promise<OutboundResponse> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    // Leaving the loop closes the connection.
    if (bytes >= longest) break;
  }
  const body = Buffer.concat(parts).subarray(0, longest);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
}
