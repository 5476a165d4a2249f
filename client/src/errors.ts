/** One thing that is wrong with a request. */
export interface Fault {
  readonly code: string;
  /** The field, or null where no single one is at fault. */
  readonly field: string | null;
  readonly message: string;
  /** The record that stands in the way, for whoever may read it. */
  readonly recordId: number | null;
}

/** The service refused a request, or failed. Programs decide by `code`. */
export class MalhaError extends Error {
  override readonly name = 'MalhaError';
  /** The HTTP status. */
  readonly status: number;
  /** The stable code of the first fault; `resposta_desconhecida` where the answer is not the service's. */
  readonly code: string;
  readonly faults: readonly Fault[];
  /** To be named when asking for support. */
  readonly requestId: string | null;
  /** Seconds to wait before the next try, where the service says so. */
  readonly retryAfter: number | null;

  constructor(response: Response, text: string) {
    const { message, faults } = readFailure(text);
    super(message);
    this.status = response.status;
    this.code = faults[0]?.code ?? UNKNOWN;
    this.faults = faults;
    this.requestId = response.headers.get('x-request-id');
    this.retryAfter = secondsOf(response.headers.get('retry-after'));
  }
}

const UNKNOWN = 'resposta_desconhecida';

/** `Retry-After` in seconds: it is a number, or a date. */
function secondsOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

interface FailureOfApp {
  readonly message: string;
  readonly errors: readonly { code: string; field: string | null; message: string; resource_id: number | null }[];
}

interface FailureOfPublic {
  readonly erro: { readonly codigo: string; readonly mensagem: string };
}

/** The failure in an answer of either surface. A proxy on the way may have answered with something else. */
function readFailure(text: string): { message: string; faults: Fault[] } {
  const body = parse(text);
  if (isOfApp(body)) {
    const faults = body.errors.map(({ resource_id: recordId, ...fault }) => ({ ...fault, recordId }));
    return { message: body.message, faults };
  }
  if (isOfPublic(body)) {
    const { codigo: code, mensagem: message } = body.erro;
    return { message, faults: [{ code, field: null, message, recordId: null }] };
  }
  return { message: 'The answer is not one of the service.', faults: [] };
}

/** The value of a JSON text, or undefined where it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isOfApp = (body: unknown): body is FailureOfApp =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors) && 'message' in body;

const isOfPublic = (body: unknown): body is FailureOfPublic =>
  typeof body === 'object' && body !== null && 'erro' in body && typeof body.erro === 'object' && body.erro !== null;
