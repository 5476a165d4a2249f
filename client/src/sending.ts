import { MalhaError } from './errors.ts';

/** How requests are sent. Times are in milliseconds. */
export interface Sending {
  /** Tries of a request, the first among them. 1: none is repeated. Default 4. */
  readonly tries?: number;
  /** The longest wait before a next try; who is asked to wait longer gets the error. Default 60,000. */
  readonly longestWait?: number;
  /** How long an answer may take to its end, and a file to begin. Default 30,000. */
  readonly timeout?: number;
  /** In place of the runtime's own `fetch`. */
  readonly fetch?: typeof fetch;
}

/** One request, as it is tried again and again. */
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: () => Promise<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether doing it twice is doing it once: a reading, or a write with an Idempotency-Key. */
  readonly safe: boolean;
  /** Whether the answer is a file, whose body is the caller's to read, in his own time. */
  readonly file: boolean;
  readonly signal: AbortSignal | undefined;
  /** Gets a new token in place of one that ran out; undefined where there is no such way. */
  readonly renew: (() => Promise<void>) | undefined;
}

/** What a request was answered. */
export interface Answered {
  readonly response: Response;
  /** Of a file it is empty. */
  readonly text: string;
}

/** The wait before the second try; each further one is twice as long, give or take a quarter. */
const FIRST_WAIT = 500;

/** The request of the same Idempotency-Key is still under way: its answer will be this one's. */
const UNDER_WAY = 'requisicao_em_andamento';

/** Sends a request until it is answered, as often as `sending` allows. Throws {@link MalhaError} for a refusal. */
export async function send(request: Outgoing, sending: Sending): Promise<Answered> {
  const { tries = 4, longestWait = 60_000 } = sending;
  let renewed = false;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(request, sending);
    if (!(outcome instanceof Error)) return outcome;
    if (isExpired(outcome) && request.renew !== undefined && !renewed) {
      renewed = true;
      attempt -= 1;
      await request.renew();
      continue;
    }
    const wait = waitAfter(outcome, attempt, request.safe);
    if (attempt >= tries || wait === null || wait > longestWait) throw outcome;
    await pause(wait, request.signal);
  }
}

/** The answer, or why there is none. */
async function tryOnce(
  request: Outgoing,
  { timeout = 30_000, fetch: call = fetch }: Sending,
): Promise<Answered | Error> {
  const { url, method, body, signal } = request;
  const headers = await request.headers();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`No answer within ${timeout} ms.`)), timeout);
  try {
    const signals = [late.signal, ...(signal === undefined ? [] : [signal])];
    const init: RequestInit = { method, headers, signal: AbortSignal.any(signals), redirect: 'error' };
    const response = await call(url, body === undefined ? init : { ...init, body });
    // What breaks off in the middle was not answered either: it is asked for again, with the same key.
    const text = request.file && response.ok ? '' : await response.text();
    return response.ok ? { response, text } : new MalhaError(response, text);
  } catch (error) {
    signal?.throwIfAborted();
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

const isExpired = (error: Error): boolean => error instanceof MalhaError && error.code === 'token_expirado';

/** Milliseconds until the next try, or null where another try may not be made or would change nothing. */
function waitAfter(error: Error, attempt: number, safe: boolean): number | null {
  const own = FIRST_WAIT * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  if (!(error instanceof MalhaError)) return safe ? own : null;
  const { status, code, retryAfter } = error;
  // Refused before anything was done.
  if (status === 429 || status === 503) return retryAfter === null ? own : retryAfter * 1000;
  if (code === UNDER_WAY) return own;
  return safe && [500, 502, 504].includes(status) ? own : null;
}

/** Waits, unless the caller gives up meanwhile. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}
