import type { Container } from '../container.ts';
import type { Config } from '../platform/config.ts';

/** What the program gives to its commands: only it reads the settings, opens connections and writes to the terminal. */
export interface Sessao {
  /** Runs one short command on the servers of the settings, of the running service, or of its own. */
  comContainer(tarefa: (container: Container, config: Config) => Promise<void>): Promise<void>;
  /** Prints what a command found: JSON for programs, else lines for people. */
  mostrar(json: boolean | undefined, valor: unknown, linhas: readonly string[]): void;
}
