import { setImmediate as nextIteration } from 'node:timers/promises';

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves in an iteration of the event loop that nobody else is given. Whoever has something to calculate that takes a millisecond, and
 * may be one of many who were waiting for the same answer, waits for one of his own first: requests of others are answered between two of them.
 */
export async function ownIteration(): Promise<void> {
  const before = last;
  const mine = before.then(async () => nextIteration());
  last = mine;
  await mine;
}
