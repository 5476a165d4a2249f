import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { bumpsKey, windowKey } from '../../src/platform/gate/keys.ts';
import { SERVE } from '../../src/platform/gate/scripts.ts';
import { listen } from '../../src/platform/http/server.ts';
import { answerMessages } from '../support/helper.ts';

/** What a bare server knows beforehand. */
export interface BareOptions {
  /** Asked once a request, as the gate does; null asks nobody. */
  readonly redisUrl: string | null;
  /** By the request's target: headers and body of the service's own answer. */
  readonly answers: readonly { readonly target: string; readonly headers: string[]; readonly body: string }[];
  /** Tags that the gate reads for each answer. */
  readonly tags: number;
}

const SLOT = 'malha:{bancada}';

/** `node:http` and nothing else: sends bytes it was given, after the gate's one script call or after none. */
answerMessages(async ({ redisUrl, answers, tags }: BareOptions) => {
  const known = new Map(
    answers.map(({ target, headers, body }, i) => {
      const names = Array.from({ length: tags }, (_, n) => `cliente:${n === 0 ? i : -n}`);
      return [target, { headers, body: Buffer.from(body), names }] as const;
    }),
  );
  const redis = redisUrl === null ? null : new Redis(redisUrl, { enableAutoPipelining: true });
  await redis?.script('LOAD', SERVE.text);

  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const answer = known.get(request.url ?? '');
    if (answer === undefined) {
      response.writeHead(404).end();
      return;
    }
    const send = (): void => {
      response.writeHead(200, answer.headers).end(answer.body);
    };
    if (redis === null) {
      send();
      return;
    }
    const window = windowKey(SLOT, `chave:${String(request.headers['x-api-key'])}`);
    redis
      .evalsha(SERVE.sha, 2, bumpsKey(SLOT), window, 60_000, 'nova', 3_600_000, ...answer.names)
      .then(send, (error: Error) => response.writeHead(500).end(error.message));
  });
  return { port: await listen(server, 0, '127.0.0.1') };
});
