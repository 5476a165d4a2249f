/**
 * Starts pieces of work one a turn of the event loop, in the order they came: a burst of them holds nothing else up for longer than one
 * of them takes.
 */
export function createPace(): (work: () => void) => void {
  const waiting: (() => void)[] = [];

  function step(): void {
    const [work] = waiting;
    // It stays in its place while it runs, so that what it brings in waits for the next turn.
    work?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(step);
  }

  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(step);
  };
}
