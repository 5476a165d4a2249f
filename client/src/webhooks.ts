import type { Events } from './generated/app-api.ts';

/** What a webhook may be sent; `switch (event.type)` tells which. */
export type WebhookEvent = Events[keyof Events];

/** The request is not what the service sent, or is too old: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** A request as it came. */
export interface ReceivedWebhook {
  /** The body's text as it came: parsed and written anew it has another signature. */
  readonly body: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The webhook's secret, `whsec_…`; while it is being changed, the old and the new one. */
  readonly secret: string | readonly string[];
  /** How far the sender's clock may be from this one's, in seconds. Default 300. */
  readonly tolerance?: number;
}

/** Verifies a request (Standard Webhooks 1.0) and returns its event. Throws {@link WebhookError}. */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent & { readonly id: string }> {
  const { body, headers, secret, tolerance = 300 } = received;
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature').split(' ');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > tolerance) throw new WebhookError('The timestamp is too far away.');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of [secret].flat()) {
    const key = await keyOf(one);
    for (const signature of signatures) {
      if (await matches(key, signature, signed)) return { ...(JSON.parse(body) as WebhookEvent), id };
    }
  }
  throw new WebhookError('No signature matches.');
}

function header(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') throw new WebhookError(`The header ${name} is missing.`);
  return value;
}

/** `CryptoKey`, which not every runtime's types name. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

async function keyOf(secret: string): Promise<Key> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === null) throw new TypeError('The secret is not one of a webhook.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Whether one of the signatures, `v1,` and Base64, is the text's. The comparison takes the same time for all. */
async function matches(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : null;
  return bytes !== null && crypto.subtle.verify('HMAC', key, bytes, signed);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
}
