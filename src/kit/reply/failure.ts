/** The error codes of a surface, each with its HTTP status and its message for people. */
export type Catalogue<Code extends string> = Readonly<
  Record<Code, { readonly status: number; readonly message: string }>
>;

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
}

export interface Errors<Code extends string> {
  readonly catalogue: Catalogue<Code>;
  readonly faults: Faults<Code>;
  /** The code for an error of the domain; null for an unexpected error. */
  readonly translate: (error: unknown) => Code | null;
}

/** Ends a request with an error of its surface's catalogue. */
export class Failure<Code extends string = string> extends Error {
  /**
   * The code. The property is not called `code`, because that marks the errors of a database server; see replica.ts.
   */
  readonly refusal: Code;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message replaces the catalogue's message, when it can name what is wrong; empty for the catalogue's. */
  constructor(code: Code, message = '', headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.refusal = code;
    this.headers = headers;
  }
}

/** What a caller is told about a failure. */
export interface Told<Code extends string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False when it is an unexpected error, which has to be logged. */
  readonly foreseen: boolean;
}

/** What a caller is told about a thrown error. Nothing of an unexpected error is revealed. */
export function toldOf<Code extends string>(
  { catalogue, faults, translate }: Errors<Code>,
  error: unknown,
): Told<Code> {
  const failure = error instanceof Failure ? (error as Failure<Code>) : null;
  const translated = failure?.refusal ?? translate(error);
  const code = translated ?? faults.unforeseen;
  const { status, message } = catalogue[code];
  return {
    code,
    status,
    message: failure === null || failure.message === '' ? message : failure.message,
    headers: failure?.headers ?? {},
    foreseen: translated !== null,
  };
}
