import { createPrivateKey, sign } from 'node:crypto';
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** Signs the same bytes so many times, in a thread with the priority of those that make notes. */
export interface BareOrder {
  readonly chavePem: string;
  readonly bytes: Uint8Array;
  readonly count: number;
}

if (platform() === 'linux') setPriority(19);

parentPort?.on('message', ({ chavePem, bytes, count }: BareOrder) => {
  const key = createPrivateKey(chavePem);
  for (let n = 0; n < count; n += 1) sign('sha1', bytes, key);
  parentPort?.postMessage('done');
});
