import { AggregatorRegistry } from 'prom-client';

/** One metric as prom-client's `getMetricsAsJSON` has it: plain data that can be sent between processes. */
export interface MetricSnapshot {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: string;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    readonly metricName?: string;
  }[];
}

/** All metrics of one process at one moment. */
export type Snapshot = readonly MetricSnapshot[];

/**
 * The metrics of several processes as one. What a process counted stays counted when the process is gone: a sum that fell would be
 * taken by Prometheus for a restart of everything, and its rates would show a burst that never was.
 */
export function createAggregate() {
  const last = new Map<number, Snapshot>();
  let departed: Snapshot = [];

  return {
    /** The newest word of a process that lives. */
    update(id: number, snapshot: Snapshot): void {
      last.set(id, snapshot);
    },

    /** A process is gone; of one that said nothing more, what was last heard counts. */
    retire(id: number, words?: Snapshot): void {
      const counted = (words ?? last.get(id) ?? []).filter(({ type }) => type !== 'gauge');
      last.delete(id);
      // One entry a metric, however many processes have come and gone.
      departed = AggregatorRegistry.aggregate([departed, counted]).getMetricsAsArray() as unknown as Snapshot;
    },

    /** Text for Prometheus. */
    async text(...more: Snapshot[]): Promise<string> {
      return AggregatorRegistry.aggregate([departed, ...last.values(), ...more]).metrics();
    },
  };
}

/** One process's metrics as text for Prometheus. */
export async function toText(snapshot: Snapshot): Promise<string> {
  return AggregatorRegistry.aggregate([snapshot]).metrics();
}
