/**
 * Starts one piece of work in each turn of the event loop, in the order in which they came. So a burst of them delays
 * other work by no more than one piece.
 */
export function createPace(): (work: () => void) => void {
  const waiting: (() => void)[] = [];

  function step(): void {
    const [work] = waiting;
    // It stays in the list while it runs, so that work which it adds waits for the next turn.
    work?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(step);
  }

  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(step);
  };
}
