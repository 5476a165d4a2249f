import { run as coherence } from './coherence.bench.ts';

/** What a benchmark is given. */
export interface BenchContext {
  /** Prints a line of its table. */
  readonly print: (line: string) => void;
}

/** Figures by name, as the last line of a benchmark has them. */
export type Figures = Readonly<Record<string, number>>;

const BENCHES: Readonly<Record<string, (ctx: BenchContext) => Promise<Figures>>> = { coherence };

const [name = ''] = process.argv.slice(2);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const bench = BENCHES[name];
if (bench === undefined) {
  print(`Uso: npm run bench -- NOME, em que NOME é um de: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 1;
} else {
  const figures = await bench({ print });
  print(JSON.stringify({ bench: name, figures }));
}
