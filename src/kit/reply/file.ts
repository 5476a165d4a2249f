import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { Failure } from './failure.ts';
import { matches } from './reply.ts';

/** Bytes that do not change, to be had from any of them on. */
export interface FileToSend {
  readonly name: string;
  readonly bytes: number;
  /** Says what the bytes are; without quotes. */
  readonly sha256: string;
  /** First and last included. */
  open(range: Range): Promise<Readable>;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * What a Range header asks for of so many bytes (RFC 9110, section 14.1.2): null for all of them, where it asks for several parts too,
 * which a server may answer whole, or where it is in no unit or form that is known; 'none' for bytes that are not there.
 */
function readRange(text: string | undefined, bytes: number): Range | 'none' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const last = Number(to);
    return last === 0 || bytes === 0 ? 'none' : { start: Math.max(0, bytes - last), end: bytes - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  return start >= bytes ? 'none' : { start, end: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}

/**
 * Answers with a file, or the part of it that is asked for; its bytes go from the store to the socket.
 *
 * @param code says that the file does not have the bytes asked for.
 * @throws Failure with that code
 */
export async function sendFile(ctx: Context, file: FileToSend, code: string): Promise<void> {
  const { name, bytes, sha256 } = file;
  const etag = `"${sha256}"`;
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes' });
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    ctx.status = 304;
    return;
  }
  // Of other bytes than those that are here, a part would not fit: the file comes whole (RFC 9110, section 13.1.5).
  const condition = ctx.req.headers['if-range'];
  const range = condition === undefined || condition === etag ? readRange(ctx.req.headers.range, bytes) : null;
  if (range === 'none') {
    ctx.remove('ETag');
    throw new Failure(code, '', { 'Content-Range': `bytes */${bytes}` });
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const body = await file.open({ start, end });
  ctx.status = range === null ? 200 : 206;
  ctx.body = body;
  ctx.type = 'application/octet-stream';
  ctx.length = end - start + 1;
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  if (range !== null) ctx.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
}
