import type { Readable } from 'node:stream';
import type { Answer } from '../../platform/http/responder.ts';
import { toBytes } from './document.ts';
import type { Page } from './document.ts';

/** The answer at the address of a page. */
export type Reply = PageReply | BytesReply;

export interface PageReply {
  readonly status: number;
  /** Null when there is nothing to show, as in a redirect. */
  readonly page: Page | null;
  readonly headers?: Readonly<Record<string, string>>;
}

interface BytesReply {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | Readable | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Headers of every page: it is not stored, its address is not sent to other sites, and search engines do not index it.
 */
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
