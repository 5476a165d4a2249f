import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import type { Options } from '@node-rs/argon2';
import { answerMessages } from '../support/helper.ts';

/** Passwords to hash at a steady rate, and nothing else. */
export interface Hashes {
  readonly password: string;
  readonly options: Options;
  readonly rate: number;
  readonly count: number;
}

answerMessages(async ({ password, options, rate, count }: Hashes): Promise<object> => {
  const begun = performance.now();
  const underWay: Promise<string>[] = [];
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, begun + (n * 1000) / rate - performance.now()));
    underWay.push(hash(password, options));
  }
  await Promise.all(underWay);
  return {};
});
