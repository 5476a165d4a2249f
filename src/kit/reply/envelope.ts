import type { Schema } from '../../platform/schema-type.ts';

/** What a route answers with. */
export interface Result<Data> {
  readonly data: Data;
  /** Of a route that answers with a page of a list. */
  readonly page?: PageInfo;
}

/** Where a page stands in its list. */
export interface PageInfo {
  /** From 1. */
  readonly number: number;
  /** Items of a whole page. */
  readonly size: number;
  /** Items of all pages. */
  readonly total: number;
}

/** A piece of a JSON document. */
export type Json = Record<string, unknown>;

/** How a surface wraps what it answers, and how its document describes that. */
export interface Envelope {
  readonly success: (result: Result<unknown>) => object;
  readonly failure: (code: string, message: string) => object;
  /** Schema of `success`; `refer` describes a schema inside it. */
  readonly successSchema: (data: Schema, paged: boolean, refer: (schema: Schema) => Json) => Json;
  /** Schema of `failure` with one of these codes. */
  readonly failureSchema: (codes: readonly string[]) => Json;
}
