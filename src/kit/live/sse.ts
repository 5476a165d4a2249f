import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { LiveHub } from '../../platform/live/hub.ts';
import type { LiveNews } from '../../platform/live/news.ts';

/** How often a stream says that it lives. Proxies close what is silent for a minute. */
const COMMENT_MS = 20_000;

/** How often it is asked whether a session still holds. */
const CHECK_MS = 15_000;

/**
 * All pages that hear of something ask anew. Some are told at the same moment, because what they ask for is then read once for all of them,
 * and the next a little later, so that a request that comes meanwhile waits for few pages and not for all. The last are told after the
 * whole, however many there are.
 */
const SPREAD = { together: 10, everyMs: 100, wholeMs: 500 };

/** When a page may try again after a stream was ended: soon, but not all at once. */
const RETRY_MS = { least: 1000, most: 5000 };

/** Bytes that wait for a reader. A news has some 40: this reader has not read for a long time. */
const MOST_WAITING = 64 * 1024;

const LIMITS = { perUser: 4, perProcess: 2000 };

export interface StreamOptions {
  readonly tenantId: number;
  /** Whose stream it is, among the tenant's users. */
  readonly userId: number;
  /** The session: a news `sessao` with this id, or without one, has it checked at once. */
  readonly sessionId: number;
  /** Which kinds of news whoever reads may hear of. `atualizar` is always told. */
  readonly may: (tipo: string) => boolean;
  /** Whether the session still holds. A check that fails says nothing; the next one may. */
  readonly holds: () => Promise<boolean>;
}

export interface StreamsDeps {
  readonly hub: Pick<LiveHub, 'ouvir'>;
  readonly limits?: Partial<typeof LIMITS>;
  /** Tests set them. */
  readonly commentMs?: number;
  readonly checkMs?: number;
}

export type Streams = ReturnType<typeof createStreams>;

/**
 * Streams of server-sent events, one a page: `ola`, then events named by the kind of news, whose data is JSON with the id alone
 * (`{"id":12}`). What is to be seen, the page asks for by itself.
 */
export function createStreams({ hub, limits = {}, commentMs = COMMENT_MS, checkMs = CHECK_MS }: StreamsDeps) {
  const { perUser, perProcess } = { ...LIMITS, ...limits };
  const open = new Set<() => void>();
  const ofUsers = new Map<string, number>();
  let opened = 0;
  let draining = false;

  function begin(res: ServerResponse, { tenantId, userId, sessionId, may, holds }: StreamOptions): void {
    const user = `${tenantId} ${userId}`;
    const place = opened;
    opened += 1;
    let ended = false;
    let silence = (): void => {};

    const write = (text: string): void => {
      if (ended) return;
      res.write(text);
      // Whoever does not read is cut off: what waits would only grow.
      if (res.writableLength > MOST_WAITING) stop(() => res.destroy());
    };
    const send = (tipo: string, data: object): void => write(`event: ${tipo}\ndata: ${JSON.stringify(data)}\n\n`);
    const check = async (): Promise<void> => {
      if (ended) return;
      const still = await holds().catch(() => true);
      if (!still) stop(() => res.end());
    };
    const hear = ({ tipo, id }: LiveNews): void => {
      if (tipo === 'sessao') {
        if (id === null || id === sessionId) void check();
        return;
      }
      if (tipo !== 'atualizar' && !may(tipo)) return;
      const { together, everyMs, wholeMs } = SPREAD;
      const group = Math.floor((place % open.size) / together);
      const after = group * Math.min(everyMs, (wholeMs * together) / open.size);
      setTimeout(() => send(tipo, { id }), after).unref();
    };
    const comment = setInterval(() => write(': .\n\n'), commentMs).unref();
    const checking = setInterval(() => void check(), checkMs).unref();

    function stop(how: () => void): void {
      if (ended) return;
      ended = true;
      clearInterval(comment);
      clearInterval(checking);
      silence();
      open.delete(drained);
      const left = (ofUsers.get(user) ?? 1) - 1;
      if (left === 0) ofUsers.delete(user);
      else ofUsers.set(user, left);
      how();
    }
    const drained = (): void => {
      write(`retry: ${Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))}\n\n`);
      stop(() => res.end());
    };

    open.add(drained);
    ofUsers.set(user, (ofUsers.get(user) ?? 0) + 1);
    res.once('close', () => stop(() => {}));
    res.on('error', () => stop(() => res.destroy()));
    // Before anything can be heard: `ola` is the first.
    send('ola', {});
    silence = hub.ouvir(tenantId, hear);
  }

  return {
    /**
     * Answers with a stream, and resolves at once: false, with nothing answered, when there are too many or the process ends (503 is the
     * answer then). Headers that the surface has set stay; the surface has checked session and permission before.
     */
    open(ctx: Context, options: StreamOptions): boolean {
      const mine = ofUsers.get(`${options.tenantId} ${options.userId}`) ?? 0;
      if (draining || mine >= perUser || open.size >= perProcess) return false;
      ctx.set({
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      ctx.status = 200;
      ctx.respond = false;
      // Set on the response by then: Koa keeps its headers there.
      ctx.res.flushHeaders();
      begin(ctx.res, options);
      return true;
    },

    /** Ends all streams, and takes no more: their pages ask another process, after a moment that differs. */
    drain(): void {
      draining = true;
      for (const end of open) end();
    },

    /** How many are open. */
    get size() {
      return open.size;
    },
  };
}
