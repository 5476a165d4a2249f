import { LRUCache } from 'lru-cache';
import { asManyAs } from '../../../platform/as-many.ts';

const A_CADA = 5;
const LEMBRADAS = 10_000;
const DIA_MS = 86_400_000;

/** Counts failed tries by what was tried, in this process; every fifth is told of, so that nobody fills the audit log. */
export function createFalhas() {
  const contagens = new LRUCache<string, number>({ ...asManyAs(LEMBRADAS), ttl: DIA_MS });
  return {
    /** Counts one more; how many there were since it was last told of, or null while that is not due. */
    contar(oque: string): number | null {
      const agora = (contagens.get(oque) ?? 0) + 1;
      contagens.set(oque, agora % A_CADA);
      return agora === A_CADA ? A_CADA : null;
    },
  };
}
