/** A process counts as quiet when its last request is longer ago than this. */
const QUIET_AFTER_MS = 1000;

/** Knows whether this process has requests to answer, so that less urgent work can wait. */
export function createTraffic() {
  let last = -Infinity;
  return {
    /** To be called for each request. */
    note: (): void => {
      last = performance.now();
    },
    quiet: (): boolean => performance.now() - last > QUIET_AFTER_MS,
  };
}
