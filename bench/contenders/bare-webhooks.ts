import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { answerMessages } from '../support/helper.ts';

/** What the bare loop sends. */
export interface BareWebhooks {
  readonly port: number;
  readonly path: string;
  /** `whsec_…` */
  readonly secret: string;
  readonly bodies: readonly string[];
  readonly atOnce: number;
}

/** Signs and posts bodies, so many under way, and does nothing else: no queue, no log, nothing survives it. */
answerMessages(async ({ port, path, secret, bodies, atOnce }: BareWebhooks) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce });
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  let next = 0;
  async function send(): Promise<void> {
    while (next < bodies.length) {
      const n = next;
      next += 1;
      const body = bodies[n] ?? '';
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', key).update(`msg_${n}.${timestamp}.${body}`).digest('base64');
      const { statusCode, body: answer } = await pool.request({
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': `msg_${n}`,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${signature}`,
        },
        body,
      });
      await answer.dump();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send));
  await pool.close();
  return {};
});
