import { print } from './print.ts';

/** What a figure may be at most, or has to be at least. */
type Bound = { readonly most: number } | { readonly least: number };

type Bounds = Readonly<Record<string, Bound>>;

/** The kinds of text that the panel's search is asked for. */
const SEARCHED = ['name', 'two_words', 'name_prefix', 'document', 'phone', 'phone_end', 'login', 'mac'] as const;

/** By the bench and the name of its figure, what was asked of it; a figure that is not here was asked nothing. */
const BOUNDS: Readonly<Record<string, Bounds>> = {
  lookups: {
    ratio_gate: { least: 0.75 },
    ratio_bare: { least: 0.5 },
    p99_ratio: { most: 2 },
    ratio_feathers: { least: 10 },
  },
  resumo: { p99_ratio: { most: 1.5 }, cold_ratio: { most: 1.3 } },
  cold: { p50_ratio: { most: 1.2 } },
  coherence: {
    reads: { least: 1_000_000 },
    revocations: { least: 10_000 },
    stale: { most: 0 },
    late_revocations: { most: 0 },
  },
  pdf: { p99_ratio: { most: 2 } },
  drops: { ratio: { least: 0.5 }, differences: { most: 0 } },
  pix: { ratio: { least: 0.6 } },
  extract: { seconds: { most: 60 }, rss_mb: { most: 400 }, p99_ratio: { most: 2 } },
  search: {
    ...Object.fromEntries(SEARCHED.map((kind) => [`${kind}_p95_ms`, { most: 50 }])),
    client_page_p95_ms: { most: 150 },
    first_page_p95_ms: { most: 150 },
    slowest_list_ms: { most: 300 },
  },
  import: { ratio: { least: 0.15 }, dry_ratio: { least: 1 }, p99_ratio: { most: 2 } },
  tenants: { p99_ratio: { most: 1.3 } },
  cluster: { cluster_ratio: { least: 0.85 } },
  neighbours: { p99_ratio: { most: 2 } },
  pages: { p99_ratio_sequential: { most: 1.5 }, p99_ms_random: { most: 100 } },
  panel: { p99_ratio: { most: 1.2 }, first_page_p95_ms: { most: 150 }, ticket_shown_ms: { most: 1000 } },
  app: { ratio: { least: 0.9 } },
  login: { p99_ratio: { most: 1.5 } },
  nfcom: { ratio: { least: 0.5 }, p99_ratio: { most: 2 }, notes: { least: 100_000 }, rss_growth: { most: 1.2 } },
  billing: { ratio: { least: 0.4 }, p99_ratio: { most: 2 } },
  webhooks: { ratio: { least: 0.5 }, p99_ratio: { most: 1.5 }, delay_p99_ratio: { most: 1.5 } },
  mover: { read_only_seconds: { most: 60 }, refused_lookups: { most: 0 }, stale_lookups: { most: 0 } },
  retorno: { ratio: { least: 0.2 }, p99_ratio: { most: 2 } },
};

/**
 * Prints each figure of which something was asked, beside its bound and whether it was reached. It only tells, and no bench fails by it:
 * what else goes on at the machine moves figures by more than a change of the code does.
 */
export function printBounds(bench: string, figures: Readonly<Record<string, number>>): void {
  for (const [name, bound] of Object.entries(BOUNDS[bench] ?? {})) {
    const asked = 'most' in bound ? `at most ${bound.most}` : `at least ${bound.least}`;
    print(`${name}, ${asked}: ${outcome(figures[name], bound)}`);
  }
}

/** A part of a bench measures only some of its figures. */
function outcome(figure: number | undefined, bound: Bound): string {
  if (figure === undefined || Number.isNaN(figure)) return 'not measured';
  const reached = 'most' in bound ? figure <= bound.most : figure >= bound.least;
  return `${figure}, ${reached ? 'reached' : 'not reached'}`;
}
