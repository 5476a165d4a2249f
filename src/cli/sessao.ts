import type { Container } from '../app/compose/container.ts';
import type { jobDefinitions } from '../platform/queues/jobs.ts';
import type { QueueMonitor } from '../platform/queues/monitor.ts';
import type { JobQueue } from '../platform/queues/queue.ts';
import type { Relogio } from '../platform/timing/relogio.ts';

/** The queues of the settings, or of the running service. */
export interface Filas {
  readonly fila: JobQueue;
  readonly monitor: QueueMonitor;
  readonly definicoes: typeof jobDefinitions;
  readonly relogio: Relogio;
}

/** Where the person sees what goes on: stderr, so that stdout holds what was found and nothing else. */
export interface Tela {
  /** It can be drawn over. */
  readonly interativa: boolean;
  /** Columns. */
  largura(): number;
  escrever(texto: string): void;
}

/** Standard input; a person types where it is a terminal. */
export type Entrada = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** What the program gives to its commands: only it reads the settings, opens connections and writes to the terminal. */
export interface Sessao {
  /** Runs one short command on the servers of the settings, of the running service, or of its own. */
  comContainer(tarefa: (container: Container) => Promise<void>): Promise<void>;
  /** The same with the queues, whose Redis may be another. */
  comFilas(tarefa: (filas: Filas, container: Container) => Promise<void>): Promise<void>;
  readonly entrada: () => Entrada;
  /** Prints what a command found: JSON for programs, else lines for people. */
  mostrar(json: boolean | undefined, valor: unknown, linhas: readonly string[]): void;
  readonly tela: Tela;
  /** While `tarefa` runs, a Ctrl-C aborts its signal instead of ending the program. */
  comCtrlC<T>(tarefa: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** How the program shall end when it does. */
  terminarCom(codigo: number): void;
}
