import type { Readable } from 'node:stream';
import type { Answer } from '../../platform/http/responder.ts';
import { toBytes } from './document.ts';
import type { Page } from './document.ts';

/** What the address of a page answers with. */
export type Reply = PageReply | BytesReply;

export interface PageReply {
  readonly status: number;
  /** Null: nothing is shown, the headers say where to go on. */
  readonly page: Page | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface BytesReply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | Readable | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What stands on every answer of a page: it is kept by nobody, tells nobody where its reader came from, and is found by nobody. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
};

export function toAnswer(reply: Reply): Answer {
  const { status } = reply;
  if ('body' in reply) {
    const { type, body, headers } = reply;
    return { status, type, body, headers: { ...HEADERS, ...headers } };
  }
  const { page, headers } = reply;
  const policy = page === null ? {} : { 'Content-Security-Policy': page.policy };
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: page === null ? null : toBytes(page),
    headers: { ...HEADERS, ...policy, ...headers },
  };
}
