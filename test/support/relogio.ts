import type { Relogio } from '../../src/platform/timing/relogio.ts';

/** A clock that stands still until a test moves it. */
export interface RelogioDeTeste extends Relogio {
  avancar(ms: number): void;
  definir(iso: string): void;
}

export function relogioEm(iso: string): RelogioDeTeste {
  let instante = new Date(iso).getTime();
  return {
    agora: () => new Date(instante),
    avancar(ms) {
      instante += ms;
    },
    definir(novo) {
      instante = new Date(novo).getTime();
    },
  };
}
