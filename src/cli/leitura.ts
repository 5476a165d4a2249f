import type { Trail } from '../platform/cache/trail.ts';

/** Nobody keeps what a command reads. */
export const SEM_RASTRO: Trail = { dependsOn() {}, changesAt() {}, isAbout() {} };

/** Who reads, of what is not a whole list. */
export const NO_TERMINAL = { reader: 'terminal', whole: false } as const;
