import type { Counted } from '../kit/http/door.ts';
import type { Limit } from '../kit/reply/reply.ts';
import type { Admission, Gate } from '../platform/gate/gate.ts';
import { networkSlot } from '../platform/gate/keys.ts';
import { countedNetwork } from '../platform/ip.ts';
import type { RefusalReason } from '../platform/metrics/metrics.ts';

export interface NetworkLimitDeps {
  readonly gate: Pick<Gate, 'admit'>;
  /** The name of the window. A network has one count for each name. */
  readonly name: string;
  /** Requests that one network may make in a minute. */
  readonly most: number;
  readonly onRefusal: (reason: RefusalReason) => void;
}

/** Counts requests without a valid credential, by the network of their source address. */
export function createNetworkLimit({ gate, name, most, onRefusal }: NetworkLimitDeps) {
  return async (ip: string): Promise<Counted> => {
    const admission = await gate.admit(networkSlot(countedNetwork(ip)), name, []);
    const exceeded = admission.count > most;
    if (exceeded) onRefusal('rede');
    return { limit: toLimit(admission, most), exceeded };
  };
}

export type NetworkLimit = ReturnType<typeof createNetworkLimit>;

/** The state of a window of `most` requests, after a request was counted in it. */
export function toLimit({ count, resetMs }: Admission, most: number): Limit {
  return { most, remaining: Math.max(0, most - count), resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) };
}
