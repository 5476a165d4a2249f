import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of one piece of work says besides its own fields, such as which job wrote it. */
export type LogFields = Readonly<Record<string, string>>;

const current = new AsyncLocalStorage<LogFields>();

/** The fields of the work that is under way. */
export const logFields = (): LogFields => current.getStore() ?? {};

/**
 * Does a piece of work of which every log line has these fields. Jobs use it, and requests while they are traced: on Node 20 the first
 * use costs every promise of the process something, which a request that is answered from memory would feel.
 */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return current.run({ ...current.getStore(), ...fields }, work);
}
