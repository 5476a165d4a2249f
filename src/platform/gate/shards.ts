import { Cluster } from 'ioredis';
import type { Redis } from 'ioredis';
import calculateSlot from 'cluster-key-slot';
import { DeadlineError, createDeadline } from '../timing/deadline.ts';
import type { RedisConnection } from '../redis/redis.ts';
import { PULSE_SLOT } from './keys.ts';
import { pulseNameOf } from './pulse-names.ts';

/** How often the heartbeat asks Redis. A write waits longer than this for its bump; see writes.ts. */
const HEARTBEAT_MS = 100;

export type GateMode = 'redis' | 'local';

/**
 * A server that answers for slots: the only one, or one master of a Cluster. What is doubted of one says nothing about the others, so that
 * one that fails harms only the tenants whose slots it holds.
 */
interface Shard {
  readonly mode: GateMode;
  /**
   * A number that changes each time that the shard is doubted, and that no other shard of this process has. What was read before a doubt
   * says nothing about what was written after it.
   */
  readonly doubts: number;
  /** Runs a command on Redis. When it fails, the result is undefined, and the shard is doubted unless only this slot is being moved. */
  attempt<T>(command: () => Promise<T>): Promise<T | undefined>;
}

export interface Shards {
  /** Who answers for a slot now. */
  of(slot: string): Shard;
  /** `local` while any server is doubted. */
  readonly mode: GateMode;
  close(): void;
}

export interface ShardsDeps {
  readonly redis: RedisConnection;
  /** Called when a server stops or resumes answering; `server` is its address in a Cluster. */
  readonly onMode: (mode: GateMode, reason?: Error, server?: string) => void;
  readonly onAnswer: ((ms: number) => void) | undefined;
  readonly deadlineMs: number;
  readonly trustMs: number;
  /** Writes under a slot as a bump does. */
  readonly pulse: (slot: string) => Promise<unknown>;
}

interface OpenShard extends Shard {
  /** The heartbeat. Only a heartbeat ends a doubt, and Redis is asked nothing else until then. */
  beat(): Promise<void>;
  doubt(reason: Error): void;
}

export function createShards(deps: ShardsDeps): Shards {
  const { redis, onMode, onAnswer, deadlineMs, trustMs, pulse } = deps;
  const deadline = createDeadline(deadlineMs);
  /** Shared by all shards, so that a slot that moves to another server has a number that it never had. */
  let doubts = 0;

  function openShard(server: string, pulseSlot: () => string): OpenShard {
    let mode: GateMode = 'redis';
    let own = doubts++;
    /** When the latest command that the server answered was sent. It was alive at that time or later. */
    let heard: number | undefined;

    function enter(next: GateMode, reason?: Error): void {
      if (next === mode) return;
      mode = next;
      if (next === 'local') own = doubts++;
      onMode(next, reason, server === ONLY ? undefined : server);
    }

    async function beat(): Promise<void> {
      if ((await attempt(async () => pulse(pulseSlot()).then(() => true))) === true) enter('redis');
    }

    async function attempt<T>(command: () => Promise<T>): Promise<T | undefined> {
      const sent = performance.now();
      try {
        const answer = await deadline.watch(command());
        onAnswer?.(performance.now() - sent);
        // When this process and Redis were frozen together, no deadline is missed. Only the clock shows the silence.
        const silence = heard === undefined ? 0 : performance.now() - heard;
        heard = Math.max(heard ?? 0, sent);
        if (silence > trustMs && mode === 'redis') {
          enter('local', new Error(`no sign of life for ${Math.round(silence)} ms`));
          enter('redis');
        }
        return answer;
      } catch (error) {
        if (isBetweenServers(error)) return undefined;
        const late = mode === 'redis' && error instanceof DeadlineError;
        enter('local', error instanceof Error ? error : new Error(String(error)));
        // It may only have been a busy moment, so Redis is asked again at once and not at the next heartbeat.
        if (late) void beat();
        return undefined;
      }
    }

    return {
      get mode() {
        return mode;
      },
      get doubts() {
        return own;
      },
      attempt,
      beat,
      doubt: (reason) => enter('local', reason),
    };
  }

  const topology = redis instanceof Cluster ? ofCluster(redis, openShard) : ofOne(redis, openShard);
  let heartbeat: NodeJS.Timeout | undefined;
  const beat = (): void => {
    for (const shard of topology.all()) void shard.beat();
  };
  // A connection that ends between two requests, and a Redis that stalls while nobody asks, must be noticed too. A failed attempt to
  // connect emits `close`, too; before the first connection there is nothing to doubt.
  const stopHearing = topology.onClose((shard) => {
    if (heartbeat !== undefined) shard.doubt(new Error('connection closed'));
  });
  const onReady = (): void => {
    beat();
    heartbeat ??= setInterval(beat, HEARTBEAT_MS).unref();
  };
  if (redis.status === 'ready') onReady();
  redis.on('ready', onReady);

  return {
    of: (slot) => topology.of(slot),
    get mode() {
      const all = topology.all();
      return all.length > 0 && all.every((shard) => shard.mode === 'redis') ? 'redis' : 'local';
    },
    close() {
      clearInterval(heartbeat);
      redis.off('ready', onReady);
      stopHearing();
      deadline.close();
    },
  };
}

/**
 * Whether a command failed because its slot is being moved: its keys lie on both servers, which send it from one to the other. ioredis names
 * the last of their words once it has tried often enough. Each of them answers all else.
 */
const isBetweenServers = (error: unknown): boolean =>
  error instanceof Error && /\b(TRYAGAIN|MOVED|ASK)\b/.test(error.message);

/** The name of the only server. */
const ONLY = '';

interface Topology {
  of(slot: string): OpenShard;
  /** The servers that hold slots now. */
  all(): readonly OpenShard[];
  /** Calls back when the connection to one ends; returns what stops that. */
  onClose(closed: (shard: OpenShard) => void): () => void;
}

type OpenShardOf = (server: string, pulseSlot: () => string) => OpenShard;

function ofOne(redis: Redis, open: OpenShardOf): Topology {
  const only = open(ONLY, () => PULSE_SLOT);
  return {
    of: () => only,
    all: () => [only],
    onClose(closed) {
      const onClose = (): void => closed(only);
      redis.on('close', onClose);
      return () => void redis.off('close', onClose);
    },
  };
}

/** How long the servers that hold slots are taken for those that did: to find them, all slots are gone through. */
const HOLDERS_KEPT_MS = 1000;

/** Of a slot that no server holds, as far as this process knows. */
const NOBODY: OpenShard = {
  mode: 'local',
  doubts: -1,
  attempt: async () => undefined,
  beat: async () => {},
  doubt() {},
};

function ofCluster(cluster: Cluster, open: OpenShardOf): Topology {
  const known = new Map<string, OpenShard>();
  const holderOf = (slot: string): string | undefined => cluster.slots[calculateSlot(slot)]?.[0];
  const holds = (slot: number, server: string): boolean => cluster.slots[slot]?.[0] === server;
  const slots = new Map<string, number>();
  let holders: { readonly servers: ReadonlySet<string>; readonly at: number } | undefined;

  /** A slot that a server holds; -1 where it holds none. Slots move: another is looked for when the last one is another server's. */
  function slotOf(server: string): number {
    let slot = slots.get(server) ?? 0;
    if (!holds(slot, server)) slots.set(server, (slot = cluster.slots.findIndex((_, other) => holds(other, server))));
    return slot;
  }

  function shardOf(server: string): OpenShard {
    let shard = known.get(server);
    if (shard === undefined) {
      known.set(server, (shard = open(server, () => pulseNameOf(Math.max(0, slotOf(server))))));
    }
    return shard;
  }

  function findHolders(): Set<string> {
    const servers = new Set<string>();
    let last: string | undefined;
    for (const held of cluster.slots) {
      const server = held?.[0];
      if (server === undefined || server === last) continue;
      servers.add((last = server));
    }
    return servers;
  }

  /** Found anew also when a server holds no slot any more: it would be asked for a slot of another, which would answer for it. */
  function holdersNow(): ReadonlySet<string> {
    const now = performance.now();
    const kept = holders !== undefined && now - holders.at < HOLDERS_KEPT_MS ? holders.servers : new Set<string>();
    if (kept.size > 0 && [...kept].every((server) => slotOf(server) !== -1)) return kept;
    holders = { servers: findHolders(), at: now };
    return holders.servers;
  }

  return {
    of(slot) {
      const server = holderOf(slot);
      if (server === undefined) return NOBODY;
      if (holders?.servers.has(server) === false) holders = undefined;
      return shardOf(server);
    },

    all: () => [...holdersNow()].map(shardOf),

    onClose(closed) {
      const hear = (node: Redis): void => {
        node.on('close', () => {
          const shard = known.get(`${node.options.host}:${node.options.port}`);
          if (shard !== undefined && hearing) closed(shard);
        });
      };
      let hearing = true;
      for (const node of cluster.nodes('all')) hear(node);
      cluster.on('+node', hear);
      return () => {
        hearing = false;
        cluster.off('+node', hear);
      };
    },
  };
}
