import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { Failure } from './failure.ts';
import { matches } from './reply.ts';

/** A file whose bytes do not change and can be read from any position. */
export interface FileToSend {
  readonly name: string;
  readonly bytes: number;
  /** The digest of the bytes, in hexadecimal; it becomes the ETag. */
  readonly sha256: string;
  /** Its media type; nothing is said of bytes that programs make sense of. */
  readonly type?: string;
  /** Opens a range of bytes; the first and the last one are included. */
  open(range: Range): Promise<Readable>;
}

/** A file that is made anew, which may take longer than what is read for it: after the read, and beyond its deadline. */
export type FileToMake = () => Promise<FileToSend>;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a Range header (RFC 9110, section 14.1.2) for a file of `bytes` bytes. Null means the whole file: also when the
 * header asks for several parts, which a server may answer with the whole, or has an unknown unit or form. 'none' means
 * that the file does not have the requested bytes.
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
 * Answers with a file, or with the requested part of it. The bytes are streamed from the store to the socket.
 *
 * @param code the error code for a range that the file does not have.
 * @throws Failure with that code
 */
export async function sendFile(ctx: Context, file: FileToSend, code: string): Promise<void> {
  const { name, bytes, sha256, type = 'application/octet-stream' } = file;
  const etag = `"${sha256}"`;
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes' });
  const known = ctx.req.headers['if-none-match'];
  if (known !== undefined && matches(known, etag)) {
    ctx.status = 304;
    return;
  }
  // The client has parts of another version of the file, so it gets the whole file (RFC 9110, section 13.1.5).
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
  ctx.type = type;
  ctx.length = end - start + 1;
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  if (range !== null) ctx.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
}
