import type { Counted } from '../kit/http/door.ts';
import type { Limit } from '../kit/reply/reply.ts';
import type { Admission, Gate } from '../platform/gate/gate.ts';
import { networkSlot } from '../platform/gate/keys.ts';
import { countedNetwork } from '../platform/ip.ts';
import type { RefusalReason } from '../platform/metrics/metrics.ts';

export interface NetworkLimitDeps {
  readonly gate: Pick<Gate, 'admit'>;
  /** Of the window: networks are counted in each by itself. */
  readonly name: string;
  /** Requests of one network in a minute. */
  readonly most: number;
  readonly onRefusal: (reason: RefusalReason) => void;
}

/** Counts requests that no credential answers for, by the network of their source address. */
export function createNetworkLimit({ gate, name, most, onRefusal }: NetworkLimitDeps) {
  return async (ip: string): Promise<Counted> => {
    const admission = await gate.admit(networkSlot(countedNetwork(ip)), name, []);
    const exceeded = admission.count > most;
    if (exceeded) onRefusal('rede');
    return { limit: toLimit(admission, most), exceeded };
  };
}

export type NetworkLimit = ReturnType<typeof createNetworkLimit>;

/** The state of a window of at most so many requests, after one was counted in it. */
export function toLimit({ count, resetMs }: Admission, most: number): Limit {
  return { most, remaining: Math.max(0, most - count), resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
}
