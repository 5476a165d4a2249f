import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Context } from 'koa';

/** A file that was sent, in a temporary file of ours. */
export interface UploadedFile {
  /** As the browser called it: text for people, never a path. */
  readonly name: string;
  readonly bytes: number;
  readonly path: string;
}

interface Upload {
  /** The other fields of the form, each with its values. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Null where none was chosen. */
  readonly file: UploadedFile | null;
}

/** What was sent, or why it was not read: no form with a file, a broken one, or a file that is too large. */
export type UploadRead =
  | { readonly upload: Upload; readonly fault?: never }
  | { readonly fault: 'type' | 'form' | 'size'; readonly upload?: never };

export interface UploadOptions {
  /** The field of the file. */
  readonly field: string;
  readonly mostBytes: number;
}

const MIME = 'multipart/form-data';
const FIELDS_BYTES = 256 * 1024;
const MOST_FIELDS = 1000;

/** What formidable says of files and fields that are larger than was allowed. */
const TOO_LARGE = 413;

/**
 * Reads a form with one file, which is written to a temporary file while it comes in, so that no more of it is held than a packet; `use`
 * gets it, and afterwards the file is gone, whatever happened.
 */
export async function withUpload<T>(
  ctx: Context,
  { field, mostBytes }: UploadOptions,
  use: (read: UploadRead) => Promise<T>,
): Promise<T> {
  if (ctx.is(MIME) !== MIME) return use({ fault: 'type' });
  // What says beforehand that it is too large is not taken in at all.
  if ((ctx.request.length ?? 0) > mostBytes + FIELDS_BYTES) return use({ fault: 'size' });
  const written = new Set<string>();
  // Loaded with the first file: it brings much, and few processes ever take one in.
  const { HttpMethodEnum, koaBody } = await import('koa-body');
  const read = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    parsedMethods: [HttpMethodEnum.POST],
    formidable: {
      uploadDir: tmpdir(),
      maxFiles: 1,
      maxFileSize: mostBytes,
      maxTotalFileSize: mostBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFields: MOST_FIELDS,
      maxFieldsSize: FIELDS_BYTES,
      filter: ({ name }) => name === field,
      onFileBegin: (_name, { filepath }) => void written.add(filepath),
    },
  });
  try {
    try {
      await read(ctx, async () => {});
    } catch (error) {
      return await use({ fault: statusOf(error) === TOO_LARGE ? 'size' : 'form' });
    }
    const upload = await uploadOf(ctx, field);
    return await use(upload === null ? { fault: 'form' } : { upload });
  } finally {
    await Promise.all([...written].map(async (path) => rm(path, { force: true })));
  }
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'httpCode' in error && typeof error.httpCode === 'number' ? error.httpCode : 0;

/** Null where a field is no text that somebody can type. */
async function uploadOf({ request }: Context, field: string): Promise<Upload | null> {
  const { body, files } = request as { body?: Record<string, unknown>; files?: Record<string, unknown> };
  const fields = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(body ?? {})) {
    const values = [value].flat().map(String);
    if ([name, ...values].some((text) => /[\0\uFFFD]/.test(text))) return null;
    fields.set(name, values);
  }
  const [sent] = [files?.[field]].flat() as ({ filepath: string; originalFilename: string | null } | undefined)[];
  if (sent === undefined) return { fields, file: null };
  const name = sent.originalFilename ?? '';
  const { size } = await stat(sent.filepath);
  return { fields, file: size === 0 && name === '' ? null : { name, bytes: size, path: sent.filepath } };
}
