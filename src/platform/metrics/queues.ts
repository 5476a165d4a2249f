import type { QueueDepth } from '../queues/monitor.ts';
import { createHistogram } from './histogram.ts';
import type { Series } from './histogram.ts';
import type { MetricSnapshot, Snapshot } from './snapshot.ts';

/** How a job ended. */
export type JobOutcome = 'concluida' | 'falhou';

/** Upper bounds in seconds: from a job that found nothing to do to one that takes hours. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/**
 * The metrics of the jobs that one process ran. The jobs that it knows are counted from 0 on: a counter that appears with its first
 * failure has not risen for Prometheus, and no alert would see it.
 */
export function createJobMetrics(known: readonly string[]) {
  const durations = createHistogram('malha_job_duration_seconds', 'Jobs that ended, by job.', BOUNDS);
  const series = new Map<string, Series>();
  const nothingYet = (): Record<JobOutcome, number> => ({ concluida: 0, falhou: 0 });
  const jobs = new Map(known.map((job) => [job, nothingYet()]));
  return {
    record(job: string, outcome: JobOutcome, ms: number): void {
      let timed = series.get(job);
      if (timed === undefined) series.set(job, (timed = durations.series({ job })));
      timed.observe(ms);
      let ended = jobs.get(job);
      if (ended === undefined) jobs.set(job, (ended = nothingYet()));
      ended[outcome] += 1;
    },

    snapshot(): Snapshot {
      const values = [...jobs].flatMap(([job, ended]) =>
        Object.entries(ended).map(([outcome, value]) => ({ labels: { job, outcome }, value })),
      );
      const help = 'Jobs that ended, by how; what will be tried again has not.';
      return [durations.snapshot(), { name: 'malha_jobs_total', help, type: 'counter', aggregator: 'sum', values }];
    },
  };
}

/** The daily work of one task, for all providers. */
interface DailyWork {
  readonly task: string;
  /** Providers that have not done it yet for their local day. */
  readonly pending: number;
  /** How many of those should have done it by now. */
  readonly behind: number;
}

/** Fiscal notes that wait for something to be done, of all providers. */
export interface WaitingNotes {
  readonly waiting: number;
  /** How long ago the first of them was due; null where none is due yet. */
  readonly oldestDueMs: number | null;
  /** Providers whose queue stands. */
  readonly stopped: number;
}

/** What waits in the queues that the database keeps, of all providers; null where nothing is due. */
interface StandingWork {
  readonly mailMs: number | null;
  readonly outboxMs: number | null;
  readonly pspMs: number | null;
  readonly bankFiles: number;
  readonly bankFilesFailing: number;
}

export interface QueueMetricsDeps {
  readonly depths: () => Promise<readonly QueueDepth[]>;
  readonly daily: () => Promise<readonly DailyWork[]>;
  readonly notes: () => Promise<WaitingNotes>;
  readonly standing: () => Promise<StandingWork>;
}

/** How long a scrape waits for Redis and the database. Then it goes on without their numbers. */
const DEADLINE_MS = 500;
/** How long what the database counted is used: counting reads all providers, and it changes slowly. */
const COUNTED_TTL_MS = 10_000;

/**
 * The metrics of the queues and of the daily work. They are the same in every process, so only one process asks for
 * them.
 */
export function createQueueMetrics({ depths, daily, notes, standing }: QueueMetricsDeps) {
  const dailyWork = counted(daily);
  const waitingNotes = counted(notes);
  const standingWork = counted(standing);

  return {
    async snapshot(): Promise<Snapshot> {
      const [queues, work, notesNow, standingNow] = await Promise.all([
        within(depths()),
        within(dailyWork()),
        within(waitingNotes()),
        within(standingWork()),
      ]);
      const ofNotes = (value: (now: WaitingNotes) => number) =>
        notesNow === null ? [] : [{ labels: {}, value: value(notesNow) }];
      const ofStanding = (value: (now: StandingWork) => number | null) =>
        standingNow === null ? [] : [{ labels: {}, value: value(standingNow) ?? 0 }];
      const inSeconds = (ms: number | null): number => (ms ?? 0) / 1000;
      const states = ['waiting', 'active', 'delayed', 'failed'] as const;
      return [
        gauge('malha_filas_acessiveis', 'Whether the Redis of the queues answers: 1 or 0.', [
          { labels: {}, value: queues === null ? 0 : 1 },
        ]),
        gauge(
          'malha_queue_jobs',
          'Jobs by queue and state.',
          (queues ?? []).flatMap((depth) =>
            states.map((state) => ({ labels: { queue: depth.queue, state }, value: depth[state] })),
          ),
        ),
        gauge(
          'malha_queue_oldest_waiting_seconds',
          'How long the first in line has been ready or due; 0 when none is.',
          (queues ?? []).map(({ queue, oldestWaitingMs }) => ({
            labels: { queue },
            value: inSeconds(oldestWaitingMs),
          })),
        ),
        gauge(
          'malha_daily_tasks_pending',
          'Providers that have not done the task of their local day.',
          (work ?? []).map(({ task, pending }) => ({ labels: { task }, value: pending })),
        ),
        gauge(
          'malha_daily_tasks_behind',
          'Those of them that should have by now.',
          (work ?? []).map(({ task, behind }) => ({ labels: { task }, value: behind })),
        ),
        gauge(
          'malha_notes_waiting',
          'Fiscal notes that wait to be built, sent or asked about.',
          ofNotes(({ waiting }) => waiting),
        ),
        gauge(
          'malha_notes_oldest_due_seconds',
          'How long ago the first of them was due; 0 when none is.',
          ofNotes(({ oldestDueMs }) => inSeconds(oldestDueMs)),
        ),
        gauge(
          'malha_notes_stopped_providers',
          'Providers whose notes stand: the authority, their certificate or equal rejections stopped them.',
          ofNotes(({ stopped }) => stopped),
        ),
        gauge(
          'malha_mail_oldest_due_seconds',
          'How long ago the first e-mail in the queue was due; 0 when none is.',
          ofStanding(({ mailMs }) => inSeconds(mailMs)),
        ),
        gauge(
          'malha_outbox_oldest_seconds',
          'How long the first event of the outbox has waited to be published; 0 when none does.',
          ofStanding(({ outboxMs }) => inSeconds(outboxMs)),
        ),
        gauge(
          'malha_psp_oldest_due_seconds',
          'How long ago the first call of a PSP for a charge was due; 0 when none is.',
          ofStanding(({ pspMs }) => inSeconds(pspMs)),
        ),
        gauge(
          'malha_bank_files_waiting',
          'Files of banks (retornos) that are not done.',
          ofStanding(({ bankFiles }) => bankFiles),
        ),
        gauge(
          'malha_bank_files_failing',
          'Those of them whose last try failed.',
          ofStanding(({ bankFilesFailing }) => bankFilesFailing),
        ),
      ];
    },
  };
}

/** Counts anew after a while; what failed is counted anew at once. */
function counted<T>(count: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly work: Promise<T> } | undefined;
  return async () => {
    if (last === undefined || performance.now() - last.at > COUNTED_TTL_MS) {
      const fresh = { at: performance.now(), work: count() };
      last = fresh;
      fresh.work.catch(() => {
        if (last === fresh) last = undefined;
      });
    }
    return last.work;
  };
}

/** Aggregated by `max`, because several processes may report the same number. */
function gauge(name: string, help: string, values: MetricSnapshot['values']): MetricSnapshot {
  return { name, help, type: 'gauge', aggregator: 'max', values };
}

/** Null for what fails or takes too long. */
async function within<T>(promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), DEADLINE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
