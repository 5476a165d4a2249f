/** What a code of a catalogue says to whoever asked. */
interface Entry {
  readonly status: number;
  readonly message: string;
  /** Headers of every answer with this code. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error codes of a surface, each with its HTTP status and its message for people. */
export type Catalogue<Code extends string> = Readonly<Record<Code, Entry>>;

/** One of the things that are wrong with a request, and where it is. */
export interface Fault<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
  /** The field's name, below another's after a dot; null when it is not about a field. */
  readonly field: string | null;
  /** The id of the record that stands in the way; null when there is none. */
  readonly recordId: number | null;
}

/** What is wrong with a field. */
export const faultIn = <Code extends string>(field: string | null, code: Code, message: string): Fault<Code> => ({
  code,
  message,
  field,
  recordId: null,
});

/** The codes of a surface's catalogue for the errors that the kit itself causes. */
export interface Faults<Code extends string> {
  /** The input is not as the route declares it. */
  readonly invalid: Code;
  readonly unknownRoute: Code;
  readonly forbidden: Code;
  /** The file does not have the bytes asked for. */
  readonly range: Code;
  /** The window's limit was reached. */
  readonly limited: Code;
  /** An unexpected error. */
  readonly unforeseen: Code;
  /** The tenant moves to another cell, and nothing of it is written meanwhile. Of surfaces with routes that write. */
  readonly moving?: Code;
  /** The record is no longer what If-Match names. Of surfaces whose routes read that header. */
  readonly stale?: Code;
  /** A list was asked for without saying whose, and who found out too much. Of surfaces whose callers may be restricted. */
  readonly searchOnly?: Code;
  readonly tooCurious?: Code;
}

export interface Errors<Code extends string, Session = unknown> {
  readonly catalogue: Catalogue<Code>;
  readonly faults: Faults<Code>;
  /**
   * What an error of the domain means here: a code, or a failure when more is to be said. Null for an unexpected error.
   * The session is undefined when the request was not admitted.
   */
  readonly translate: (error: unknown, session: Session | undefined) => Code | Failure<Code> | null;
}

/** Ends a request with an error of its surface's catalogue. */
export class Failure<Code extends string = string> extends Error {
  /**
   * The code. The property is not called `code`, because that marks the errors of a database server; see replica.ts.
   */
  readonly refusal: Code;
  readonly headers: Readonly<Record<string, string>>;
  /** All that is wrong, when it is more than the code and the message say. */
  readonly faults: readonly Fault<Code>[];

  /** @param message replaces the catalogue's message, when it can name what is wrong; empty for the catalogue's. */
  constructor(
    code: Code,
    message = '',
    headers: Readonly<Record<string, string>> = {},
    faults: readonly Fault<Code>[] = [],
  ) {
    super(message);
    this.refusal = code;
    this.headers = headers;
    this.faults = faults;
  }
}

/** Ends a request for all that is wrong with it; the first fault gives the code. @throws Failure unless there is none */
export function failFor<Code extends string>(faults: readonly Fault<Code>[]): void {
  const [first] = faults;
  if (first !== undefined) throw new Failure(first.code, first.message, {}, faults);
}

/** What a caller is told about a failure. */
export interface Told<Code extends string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** All that is wrong; at least one. */
  readonly faults: readonly Fault<Code>[];
  /** False when it is an unexpected error, which has to be logged. */
  readonly foreseen: boolean;
}

/** What a caller is told about a thrown error. Nothing of an unexpected error is revealed. */
export function toldOf<Code extends string, Session>(
  { catalogue, faults, translate }: Errors<Code, Session>,
  error: unknown,
  session?: Session,
): Told<Code> {
  const translated = error instanceof Failure ? (error as Failure<Code>) : translate(error, session);
  const failure = translated instanceof Failure ? translated : new Failure(translated ?? faults.unforeseen);
  const { refusal: code } = failure;
  const { status, message: general, headers } = catalogue[code];
  const message = failure.message === '' ? general : failure.message;
  return {
    code,
    status,
    message,
    headers: { ...headers, ...failure.headers },
    faults: failure.faults.length > 0 ? failure.faults : [faultIn(null, code, message)],
    foreseen: translated !== null,
  };
}
