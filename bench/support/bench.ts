import type { Children } from './children.ts';

/** What a bench is given: servers of its own, and a place for what it starts. */
export interface BenchContext {
  /** Of the server; a bench makes databases of its own on it. */
  readonly databaseUrl: string;
  /** Logical database 0; the URL's path chooses another, up to 63. */
  readonly redisUrl: string;
  /** Kept between runs. */
  readonly dataDir: string;
  /** For files of this run. */
  readonly scratchDir: string;
  /** The clone's folder. */
  readonly root: string;
  /** Child processes, ended with the bench. */
  readonly children: Children;
  /** Progress, to stderr: stdout has the table and the line of figures. */
  readonly log: (line: string) => void;
}

/** Measures, prints its table, and resolves to the figures by name. */
export type Bench = (context: BenchContext) => Promise<Record<string, number>>;
