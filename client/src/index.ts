import { createApi } from './api.ts';
import type { Api, ApiOptions } from './api.ts';
import { REPEATABLE as OF_APP } from './generated/app-api.ts';
import type * as AppApi from './generated/app-api.ts';
import { REPEATABLE as OF_PUBLIC } from './generated/public-api.ts';
import type * as PublicApi from './generated/public-api.ts';

/** The public API, `/api/v1`: a chatbot's or a voice menu's. */
export const publicApi = (options: ApiOptions): Api<PublicApi.Operations> => createApi('/api/v1', OF_PUBLIC, options);

/** The API of the app and of integrations, `/v1`. */
export const appApi = (options: ApiOptions): Api<AppApi.Operations> => createApi('/v1', OF_APP, options);

export type { Api, ApiOptions, CallOptions } from './api.ts';
export { MalhaError } from './errors.ts';
export type { Fault } from './errors.ts';
export type * as AppApi from './generated/app-api.ts';
export type * as PublicApi from './generated/public-api.ts';
export type { Sending } from './sending.ts';
export { verifyWebhook, WebhookError } from './webhooks.ts';
export type { ReceivedWebhook, WebhookEvent } from './webhooks.ts';
