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

export interface ShutdownOptions {
  /** The signals that end the process. The others of SIGINT, SIGTERM and SIGHUP are ignored. */
  readonly signals?: readonly NodeJS.Signals[];
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles the signals that ask a service to end, and failures that no other code caught. */
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

  return { onStop: (step) => void steps.push(step), stop, undo };
}
