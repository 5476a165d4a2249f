import { errorText } from '../logger.ts';

/** Stops what was started, last first. */
export interface Shutdown {
  /** Adds a step; steps run in the reverse order of their adding. */
  onStop(step: () => Promise<void>): void;
  /** Runs every step and ends the process. A second signal ends it at once. */
  stop(exitCode: number): Promise<void>;
  /** Runs every step and lets the process live: for a start that failed half-way. */
  undo(): Promise<void>;
}

/** A signal that comes this much after the first is a person who does not want to wait. */
const IMPATIENT_MS = 1000;

export interface ShutdownOptions {
  /** Those that end the process; any other that usually would is ignored. */
  readonly signals?: readonly NodeJS.Signals[];
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for the signals that ask a service to end, and for failures that nobody caught. */
export function createShutdown(write: (line: string) => void, { signals = ENDING }: ShutdownOptions = {}): Shutdown {
  const steps: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  let asked = 0;

  async function undo(): Promise<void> {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step();
      } catch (error) {
        write(`Falha ao encerrar: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }

  async function stop(exitCode: number): Promise<void> {
    stopping ??= undo();
    await stopping;
    process.exit(exitCode);
  }

  for (const signal of ENDING) {
    process.on(signal, () => {
      if (!signals.includes(signal)) return;
      // npm passes on a Ctrl-C that the terminal has already sent to us: twice at once is one wish.
      if (stopping !== undefined && performance.now() - asked > IMPATIENT_MS) process.exit(130);
      if (stopping !== undefined) return;
      asked = performance.now();
      write('Encerrando…');
      void stop(0);
    });
  }
  // A terminal that is gone takes no more lines: each complaint about that would be one more, and the stop never come.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  for (const failure of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(failure, (error: unknown) => {
      write(`Falha sem tratamento: ${errorText(error)}`);
      void stop(1);
    });
  }

  return { onStop: (step) => void steps.push(step), stop, undo };
}
