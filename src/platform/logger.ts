import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { Config } from './config.ts';
import { logFields } from './log-fields.ts';

/** What is logged about an error: enough to find its cause, and no personal data. */
export interface LoggedError {
  readonly type: string;
  readonly message?: string;
  readonly code?: string;
  readonly errno?: number;
  /** The stack frames of our own code, the innermost first, as paths below the package. */
  readonly stack: readonly string[];
  readonly cause?: LoggedError;
}

/** The folder of the package. This file is built into `dist/src/platform`. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FRAME = /^\s+at (?:async )?(?:[\w$.<> #[\]]+ \()?(?:file:\/\/)?(\/[^()]+:\d+:\d+)\)?$/;
const MOST_FRAMES = 10;
const DEEPEST_CAUSE = 3;

/** Writes lines of JSON to stdout, or to the given destination. */
export function createLogger({ MALHA_LOG }: Pick<Config, 'MALHA_LOG'>, destination?: DestinationStream): Logger {
  const options = {
    level: MALHA_LOG,
    base: { pid: process.pid },
    mixin: logFields,
    serializers: { err: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/**
 * Describes an error without the data it may carry. The message of a database error is left out, because knex writes
 * the statement with its values there, and the server quotes the row. In other messages, possible personal data is
 * masked.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, stack: [] };
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  const isDatabases = 'sql' in error || 'sqlMessage' in error || 'sqlState' in error;
  return {
    type: error.name,
    ...(isDatabases ? {} : { message: maskPersonalData(error.message) }),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof errno === 'number' ? { errno } : {}),
    stack: ownFrames(error),
    ...(error.cause === undefined || depth >= DEEPEST_CAUSE ? {} : { cause: describeError(error.cause, depth + 1) }),
  };
}

/** The same description as text, for a person at a terminal. */
export function errorText(error: unknown): string {
  const { type, message, code, stack } = describeError(error);
  return [`${type}: ${message ?? code ?? ''}`, ...stack.map((frame) => `    ${frame}`)].join('\n');
}

/**
 * Masks PIX codes, keys, documents, phones and e-mail addresses. It also masks all quoted text, because V8 quotes the
 * input that it could not parse, and every word that is long, or has five digits or an `@`.
 */
export function maskPersonalData(text: string): string {
  return text
    .replaceAll(/000201[\s\S]*?6304[0-9A-Fa-f]{4}/g, '…')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\(?\d{2}\)? ?\d{4,5}[- ]?\d{4}/g, '…')
    .replaceAll(/\S+/g, (word) =>
      word.length > 40 || word.includes('@') || /(?:\d\D{0,2}){5}/.test(word) ? '…' : word,
    );
}

function ownFrames(error: Error): string[] {
  const frames: string[] = [];
  // The stack begins with the message, whose lines must not be taken for frames.
  const stack = (error.stack ?? '').replace(error.message, '');
  for (const line of stack.split('\n')) {
    const where = FRAME.exec(line)?.[1];
    if (where === undefined || !where.startsWith(ROOT) || where.includes('/node_modules/')) continue;
    frames.push(where.slice(ROOT.length).replace(/^dist\//, ''));
    if (frames.length === MOST_FRAMES) break;
  }
  return frames;
}
