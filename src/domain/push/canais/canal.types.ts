/** A notice as a device is given it. */
export interface Nota {
  /** What it replaces on the device: the same kind of the same thing. At most 32 characters of base64url. */
  readonly topico: string;
  readonly titulo: string;
  readonly texto: string;
  /** Kind, ids and the path in the app. */
  readonly dados: Readonly<Record<string, string | number>>;
  /** For how long it is of use, in seconds. */
  readonly ttl: number;
}

/**
 * What came of an attempt: it was taken; the device is not there any more; it may be tried again, not before what was asked for (milliseconds);
 * or it is of no use to try again.
 */
export type Desfecho =
  | { readonly tipo: 'entregue' }
  | { readonly tipo: 'sumiu' | 'recusado'; readonly erro: string }
  | { readonly tipo: 'repetir'; readonly erro: string; readonly esperaMs: number | null };
