/** Every code that a surface answers an error with, its HTTP status, and what it says to a person. */
export type Catalogue<Code extends string> = Readonly<
  Record<Code, { readonly status: number; readonly message: string }>
>;

/** Which code of a surface's catalogue stands for what the kit itself refuses. */
export interface Faults<Code extends string> {
  /** What was sent is not what the route declares. */
  readonly invalid: Code;
  readonly unknownRoute: Code;
  readonly forbidden: Code;
  /** The file does not have the bytes asked for. */
  readonly range: Code;
  /** The window's limit was reached. */
  readonly limited: Code;
  /** What nobody foresaw. */
  readonly unforeseen: Code;
}

export interface Errors<Code extends string> {
  readonly catalogue: Catalogue<Code>;
  readonly faults: Faults<Code>;
  /** The code for what a rule of the business refused; null for what was not foreseen. */
  readonly translate: (error: unknown) => Code | null;
}

/** Ends a request with an error of its surface's catalogue. */
export class Failure<Code extends string = string> extends Error {
  /** Not `code`, by which an error of a server is known; see replica.ts. */
  readonly refusal: Code;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message replaces the catalogue's text, where it can name what is wrong; empty, it does not. */
  constructor(code: Code, message = '', headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.refusal = code;
    this.headers = headers;
  }
}

/** What a caller is told of a failure. */
export interface Told<Code extends string> {
  readonly code: Code;
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  /** False: it is a fault of ours, to be logged. */
  readonly foreseen: boolean;
}

/** What is said of an error that was thrown: nothing of what was not foreseen. */
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
