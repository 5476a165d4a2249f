import { errorText } from '../logger.ts';

/** Stops what was started, the last first. */
export interface Shutdown {
  /** Adds a step. The steps run in the reverse order of their adding. */
  onStop(step: () => Promise<void>): void;
  /** Runs every step and ends the process. A second signal ends it at once. */
  stop(exitCode: number): Promise<void>;
  /** Runs every step without ending the process, after a start that failed half-way. */
  undo(): Promise<void>;
}

/** A second signal that comes later than this after the first is from a person who does not want to wait. */
const IMPATIENT_MS = 1000;

/** A step that takes longer never ends. The next one is taken, so that a process which was asked to end does end. */
export const LONGEST_STEP_MS = 20_000;

export interface ShutdownOptions {
  /** The signals that end the process. The others of SIGINT, SIGTERM and SIGHUP are ignored. */
  readonly signals?: readonly NodeJS.Signals[];
  /** The longest that one step may take. Tests set it. */
  readonly longestStepMs?: number;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles the signals that ask a service to end, and failures that no other code caught. */
export function createShutdown(
  write: (line: string) => void,
  { signals = ENDING, longestStepMs = LONGEST_STEP_MS }: ShutdownOptions = {},
): Shutdown {
  const steps: (() => Promise<void>)[] = [];
  let stopping: Promise<boolean> | undefined;
  let asked = 0;

  /** Resolves to whether every step ended well. */
  async function undo(): Promise<boolean> {
    let well = true;
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await within(step(), longestStepMs);
      } catch (error) {
        well = false;
        write(`Falha ao encerrar: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return well;
  }

  async function stop(exitCode: number): Promise<void> {
    stopping ??= undo();
    process.exit((await stopping) ? exitCode : 1);
  }

  for (const signal of ENDING) {
    process.on(signal, () => {
      if (!signals.includes(signal)) return;
      // npm passes on a Ctrl-C that the terminal has also sent to us, so two signals at once count as one.
      if (stopping !== undefined && performance.now() - asked > IMPATIENT_MS) process.exit(130);
      if (stopping !== undefined) return;
      asked = performance.now();
      write('Encerrando…');
      void stop(0);
    });
  }
  // When the terminal is gone, writing fails. Reporting that would write again, and fail again, without end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const failure of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(failure, (error: unknown) => {
      write(`Falha sem tratamento: ${errorText(error)}`);
      void stop(1);
    });
  }

  return {
    onStop: (step) => void steps.push(step),
    stop,
    async undo() {
      await undo();
    },
  };
}

/** Rejects when a promise takes longer, with what keeps the process alive. */
async function within(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const alive = process.getActiveResourcesInfo().join(', ');
      reject(new Error(`um passo não terminou em ${ms / 1000} s; continuam: ${alive}`));
    }, ms);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
