import { AggregatorRegistry } from 'prom-client';

/** One metric in the form of prom-client's `getMetricsAsJSON`: plain data that can be sent between processes. */
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
 * Adds up the metrics of several processes. What a process counted stays in the sum after the process is gone. If the
 * sum fell, Prometheus would take it for a restart of everything, and its rates would show a burst that did not happen.
 */
export function createAggregate() {
  const last = new Map<number, Snapshot>();
  let departed: Snapshot = [];

  return {
    /** Stores the newest metrics of a living process. */
    update(id: number, snapshot: Snapshot): void {
      last.set(id, snapshot);
    },

    /** To be called when a process is gone, with its last metrics. Without them, the last stored ones are used. */
    retire(id: number, words?: Snapshot): void {
      const counted = (words ?? last.get(id) ?? []).filter(({ type }) => type !== 'gauge');
      last.delete(id);
      // Aggregated, so that there is one entry for each metric, however many processes have come and gone.
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
