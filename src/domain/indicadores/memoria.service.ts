import { LRUCache } from 'lru-cache';
import type { Relogio } from '../../platform/timing/relogio.ts';

/** A number of many rows is counted again when it is older than this, while it is told once more. */
const UM_MINUTO = 60_000;
/** Older ones are not told: whoever asks first after this waits. */
const MAIS_VELHO_MS = 10 * 60_000;
/** Numbers of fewer rows are counted at each asking. */
const MUITAS = 100_000;
const MAIOR_QUANTIDADE = 2000;

/** A number, and the instant that it is of. */
export interface Numero<T = number> {
  readonly valor: T;
  readonly de: Date;
}

/** What was counted, and how many rows that took. */
interface Contado<T> {
  readonly valor: T;
  readonly linhas: number;
}

/**
 * Keeps what takes long to count. Who asks is told of what instant it is; while it is being counted again, of the instant before.
 */
export interface Memoria {
  lembrar<T>(provedorId: number, nome: string, contar: () => Promise<Contado<T>>): Promise<Numero<T>>;
}

interface Guardado {
  /** The last that is known; null while it is counted for the first time. */
  pronto: Numero<unknown> | null;
  contando: Promise<Numero<unknown>> | null;
}

/** One for each process. Those who ask at the same time wait for one count. */
export function createMemoria(relogio: Relogio): Memoria {
  const guardados = new LRUCache<string, Guardado>({ max: MAIOR_QUANTIDADE });

  async function contarDeNovo<T>(chave: string, um: Guardado, contar: () => Promise<Contado<T>>): Promise<Numero<T>> {
    const de = relogio.agora();
    const { valor, linhas } = await contar();
    const numero = { valor, de };
    if (linhas > MUITAS) um.pronto = numero;
    else guardados.delete(chave);
    return numero;
  }

  return {
    async lembrar<T>(provedorId: number, nome: string, contar: () => Promise<Contado<T>>): Promise<Numero<T>> {
      const chave = `${provedorId} ${nome}`;
      let um = guardados.get(chave);
      if (um === undefined) guardados.set(chave, (um = { pronto: null, contando: null }));
      // Under this name nothing else is kept.
      const { pronto } = um as { pronto: Numero<T> | null };
      const idade = pronto === null ? Infinity : relogio.agora().getTime() - pronto.de.getTime();
      if (pronto !== null && idade < UM_MINUTO) return pronto;
      const deste = um;
      deste.contando ??= contarDeNovo(chave, deste, contar).finally(() => {
        deste.contando = null;
      });
      const contando = deste.contando as Promise<Numero<T>>;
      if (pronto === null || idade > MAIS_VELHO_MS) return contando;
      // Nobody waits for it; the next who asks tries again.
      contando.catch(() => {});
      return pronto;
    },
  };
}
