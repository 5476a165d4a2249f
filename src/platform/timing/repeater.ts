import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs a task repeatedly until it is stopped: `intervalMs` after its last end, or at once when the task says there is
 * more.
 */
export function repeat(
  task: () => Promise<{ more: boolean }>,
  { intervalMs, onError }: { intervalMs: number; onError: (error: unknown) => void },
): { stop(): Promise<void> } {
  const stopping = new AbortController();

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let more = false;
      try {
        ({ more } = await task());
      } catch (error) {
        onError(error);
      }
      if (!more) await sleep(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
