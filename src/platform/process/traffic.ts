/** How long after its last request a process counts as having nobody to answer. */
const QUIET_AFTER_MS = 1000;

/** Knows whether this process is answering requests, so that what can wait does. */
export function createTraffic() {
  let last = -Infinity;
  return {
    /** Says that a request came. */
    note: (): void => {
      last = performance.now();
    },
    quiet: (): boolean => performance.now() - last > QUIET_AFTER_MS,
  };
}
