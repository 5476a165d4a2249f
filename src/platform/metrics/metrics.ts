import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';
import type { Db } from '../mysql/database.ts';
import type { GateMode } from '../gate/gate.ts';
import type { ConnectionEvent } from '../http/connections.ts';
import { DATABASE_STATES } from '../process/readiness.ts';
import type { DatabaseState } from '../process/readiness.ts';
import type { CacheEvent } from '../cache/response-cache.ts';
import { createHistogram } from './histogram.ts';
import type { Series } from './histogram.ts';
import type { Snapshot } from './snapshot.ts';

/** Which window was full when a request was refused: that of its key, or that of its network. */
export type RefusalReason = 'chave' | 'rede' | 'conta';

/** What a process is there for. */
export type Role = 'api' | 'worker';

export interface MetricsDeps {
  readonly db: Db;
  readonly roles: readonly Role[];
  /** By what tenants are told apart without naming one: the class of each, and what keeps the classes up to date. */
  readonly tenants: { readonly classOf: (tenantId: number) => string; readonly refresh: () => Promise<void> };
  /** What the response cache holds. */
  readonly cacheSize: () => { bytes: number; entries: number };
  /** What the database is to this process; see readiness.ts. */
  readonly database: () => Promise<DatabaseState>;
}

/** The numbers that a connection pool of tarn (knex's pool) reports. */
interface Pool {
  readonly max: number;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const LAG_RESOLUTION_MS = 20;
const QUANTILES = [50, 99, 100] as const;

export interface Metrics {
  /** An answered request. `route` is the pattern of the route, never the path of the request. */
  readonly request: (route: string, status: number, ms: number) => void;
  /** An error answer, by its code. */
  readonly error: (code: string) => void;
  /** The same answer, by the class of the tenant that asked: never by the tenant. */
  readonly tenant: (tenantId: number, status: number, ms: number, code: string | undefined) => void;
  readonly connection: (event: ConnectionEvent) => void;
  readonly cache: (event: CacheEvent) => void;
  /** A round trip to Redis. */
  readonly redis: (ms: number) => void;
  readonly refusal: (reason: RefusalReason) => void;
  /** `entered` by one server of Redis; `now` is that of all of them. */
  readonly mode: (entered: GateMode, now: GateMode) => void;
  /** Everything, as plain data. */
  readonly snapshot: () => Promise<Snapshot>;
  readonly close: () => void;
}

/**
 * What one process measures. Recording costs a few additions of numbers; objects and text are created only for a
 * scrape.
 */
export function createMetrics({ db, roles, tenants, cacheSize, database }: MetricsDeps): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = createHistogram('malha_http_request_duration_seconds', 'Requests by route pattern and status.');
  const ofTenants = createHistogram('malha_tenant_request_duration_seconds', 'Requests by the class of the provider.');
  const redis = createHistogram(
    'malha_redis_duration_seconds',
    'Round trips to Redis at the gate, heartbeats included.',
  );
  const mysql = createHistogram(
    'malha_mysql_query_duration_seconds',
    'Queries by outcome, without the wait for a connection.',
  );
  const redisSeries = redis.series();
  const cacheEvents: Record<CacheEvent, number> = { hit: 0, miss: 0, stale: 0, coalesced: 0, bypass: 0, eviction: 0 };
  const refusals: Record<RefusalReason, number> = { chave: 0, rede: 0, conta: 0 };
  const connectionEvents: Record<ConnectionEvent, number> = { opened: 0, closed: 0, dropped: 0 };
  const errors = new Map<string, number>();
  const routes = new Map<string, Map<number, Series>>();
  const classes = new Map<string, Map<number, Series>>();
  const tenantErrors = new Map<string, { readonly labels: { porte: string; code: string }; count: number }>();
  let mode: GateMode = 'redis';
  const modeChanges: Record<GateMode, number> = { redis: 0, local: 0 };

  /** A counter whose numbers are kept elsewhere and read at each scrape. */
  function counter(name: string, help: string, label: string, read: () => Iterable<[string, number]>): void {
    void new Counter({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  }

  function gauge(name: string, help: string, read: () => number, aggregator: 'sum' | 'max' = 'sum'): void {
    void new Gauge({
      name,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  }

  counter('malha_cache_events_total', 'Response cache: hits, misses, stale rejections …', 'event', () =>
    Object.entries(cacheEvents),
  );
  counter('malha_limiter_refusals_total', 'Requests refused by a limit, by whose window was full.', 'reason', () =>
    Object.entries(refusals),
  );
  counter('malha_http_errors_total', 'Error answers by the code of the catalogue.', 'code', () => errors);
  void new Counter({
    name: 'malha_tenant_errors_total',
    help: 'Error answers by the class of the provider and the code of the catalogue.',
    labelNames: ['porte', 'code'],
    registers,
    collect() {
      this.reset();
      for (const { labels, count } of tenantErrors.values()) this.inc(labels, count);
    },
  });
  counter(
    'malha_gate_mode_changes_total',
    'Entries into a mode; what was kept before an entry into local is not used again.',
    'mode',
    () => Object.entries(modeChanges),
  );
  counter('malha_http_connections_total', 'Connections of clients: opened, closed, dropped …', 'event', () =>
    Object.entries(connectionEvents),
  );
  gauge(
    'malha_http_connections',
    'Open connections of clients.',
    () => connectionEvents.opened - connectionEvents.closed,
  );
  gauge('malha_cache_bytes', 'Bytes that the response caches hold.', () => cacheSize().bytes);
  gauge('malha_cache_entries', 'Responses that the response caches hold.', () => cacheSize().entries);
  void new Gauge({
    name: 'malha_processes',
    help: 'Processes that answer, by what they are there for; one may be there for both.',
    labelNames: ['papel'],
    registers,
    collect() {
      for (const papel of roles) this.set({ papel }, 1);
    },
  });
  gauge('malha_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  void new Gauge({
    name: 'malha_gate_mode',
    help: 'Processes by what they count and validate with: redis, or local while Redis is away.',
    labelNames: ['mode'],
    registers,
    collect() {
      for (const name of ['redis', 'local'] as const) this.set({ mode: name }, name === mode ? 1 : 0);
    },
  });
  void new Gauge({
    name: 'malha_database',
    help: 'Processes by what their database is to them: ok, so_leitura while its server takes no writes, or fora.',
    labelNames: ['state'],
    registers,
    async collect() {
      const state = await database();
      for (const name of DATABASE_STATES) this.set({ state: name }, name === state ? 1 : 0);
    },
  });
  void new Gauge({
    name: 'malha_process_start_time_seconds',
    help: 'When each process started, since the epoch.',
    labelNames: ['pid'],
    registers,
    collect() {
      this.set({ pid: process.pid }, Math.round(performance.timeOrigin / 1000));
    },
  });

  const { pool } = db.client as { pool: Pool };
  const connections = new Gauge({
    name: 'malha_mysql_pool_connections',
    help: 'Connections of the pools, in use and free, and the most there may be.',
    labelNames: ['state'],
    registers,
    collect() {
      connections.set({ state: 'used' }, pool.numUsed());
      connections.set({ state: 'free' }, pool.numFree());
      connections.set({ state: 'max' }, pool.max);
    },
  });
  gauge('malha_mysql_pool_waiting', 'Queries that wait for a connection.', () => pool.numPendingAcquires());

  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  void new Gauge({
    name: 'malha_event_loop_lag_seconds',
    help: 'Lag of the event loop since the last scrape, of the process where it was worst.',
    labelNames: ['quantile'],
    registers,
    aggregator: 'max',
    collect() {
      // The recorded values include the timer's own period, which is subtracted.
      const late = (ns: number): number => (ns > 0 ? Math.max(0, ns / 1e9 - LAG_RESOLUTION_MS / 1000) : 0);
      for (const q of QUANTILES) this.set({ quantile: q / 100 }, lag.count === 0 ? 0 : late(lag.percentile(q)));
      lag.reset();
    },
  });

  const underWay = new Map<string, number>();
  const answered = { ok: mysql.series({ outcome: 'ok' }), error: mysql.series({ outcome: 'error' }) };
  const settle = (outcome: keyof typeof answered, { __knexQueryUid: uid }: QueryEvent): void => {
    const begun = underWay.get(uid);
    if (begun === undefined) return;
    underWay.delete(uid);
    answered[outcome].observe(performance.now() - begun);
  };
  db.on('query', ({ __knexQueryUid: uid }: QueryEvent) => underWay.set(uid, performance.now()));
  db.on('query-response', (_response: unknown, query: QueryEvent) => settle('ok', query));
  db.on('query-error', (_error: unknown, query: QueryEvent) => settle('error', query));

  return {
    request(route: string, status: number, ms: number): void {
      let byStatus = routes.get(route);
      if (byStatus === undefined) routes.set(route, (byStatus = new Map<number, Series>()));
      let series = byStatus.get(status);
      if (series === undefined) byStatus.set(status, (series = requests.series({ route, status: String(status) })));
      series.observe(ms);
    },

    tenant(tenantId: number, status: number, ms: number, code: string | undefined): void {
      const porte = tenants.classOf(tenantId);
      let byStatus = classes.get(porte);
      if (byStatus === undefined) classes.set(porte, (byStatus = new Map<number, Series>()));
      let series = byStatus.get(status);
      if (series === undefined) byStatus.set(status, (series = ofTenants.series({ porte, status: String(status) })));
      series.observe(ms);
      if (code === undefined) return;
      const name = `${porte} ${code}`;
      let counted = tenantErrors.get(name);
      if (counted === undefined) tenantErrors.set(name, (counted = { labels: { porte, code }, count: 0 }));
      counted.count += 1;
    },

    error(code: string): void {
      errors.set(code, (errors.get(code) ?? 0) + 1);
    },

    connection(event: ConnectionEvent): void {
      connectionEvents[event] += 1;
    },

    cache(event: CacheEvent): void {
      cacheEvents[event] += 1;
    },

    redis(ms: number): void {
      redisSeries.observe(ms);
    },

    refusal(reason: RefusalReason): void {
      refusals[reason] += 1;
    },

    mode(entered: GateMode, now: GateMode): void {
      mode = now;
      modeChanges[entered] += 1;
    },

    async snapshot(): Promise<Snapshot> {
      // Nobody waits for it: until the next scrape the classes are those of before.
      void tenants.refresh();
      const rest = (await registry.getMetricsAsJSON()) as unknown as Snapshot;
      return [requests.snapshot(), ofTenants.snapshot(), redis.snapshot(), mysql.snapshot(), ...rest];
    },

    close(): void {
      lag.disable();
    },
  };
}

interface QueryEvent {
  readonly __knexQueryUid: string;
}
