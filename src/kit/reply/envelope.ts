import type { Schema } from '../../platform/schema-type.ts';

/** The result of a route. */
export interface Result<Data> {
  readonly data: Data;
  /** Present when the result is a page of a list. */
  readonly page?: PageInfo;
}

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
  readonly success: (result: Result<unknown>) => object;
  readonly failure: (code: string, message: string) => object;
  /** The schema of `success`. `refer` returns the description of a schema inside it. */
  readonly successSchema: (data: Schema, paged: boolean, refer: (schema: Schema) => Json) => Json;
  /** The schema of `failure` with one of these codes. */
  readonly failureSchema: (codes: readonly string[]) => Json;
}
