import type { Place } from '../../platform/paging/page-marks.ts';
import type { Schema } from '../../platform/schema-type.ts';
import type { Fault } from './failure.ts';

/** The result of a route. */
export interface Result<Data> {
  readonly data: Data;
  /** Of a route that may find what it would create there already: it did, and answers 200. */
  readonly existed?: boolean;
  /** Present when the result is a page of a list. */
  readonly page?: PageInfo;
  /** Present when the result is a part of a list that is read by cursors. */
  readonly slice?: SliceInfo<Place>;
}

/** A part of a list that is read by cursors, and where the next part begins. */
interface SliceInfo<Next> {
  /** The number of items of a full part. */
  readonly limit: number;
  /** The number of items of all parts. */
  readonly total: number;
  /** Null at the end of the list. */
  readonly next: Next | null;
}

/** A result, as it is answered: the next part of a list is named by the text of a cursor. */
export type Answer = Omit<Result<unknown>, 'slice'> & { readonly slice?: SliceInfo<string> };

/** The position of a page in its list. */
export interface PageInfo {
  /** From 1. */
  readonly number: number;
  /** The number of items of a full page. */
  readonly size: number;
  /** The number of items of all pages. */
  readonly total: number;
}

/** A piece of a JSON document. */
export type Json = Record<string, unknown>;

/** How a surface wraps its answers, and how its OpenAPI document describes that. */
export interface Envelope {
  readonly success: (answer: Answer) => object;
  /** @param faults all that is wrong, at least one, of which code and message say the first. */
  readonly failure: (code: string, message: string, faults: readonly Fault[]) => object;
  /** The schema of `success`. `refer` returns the description of a schema inside it. */
  readonly successSchema: (data: Schema, paged: boolean, refer: (schema: Schema) => Json) => Json;
  /** The schema of `failure` with one of these codes. */
  readonly failureSchema: (codes: readonly string[]) => Json;
}
