import { LRUCache } from 'lru-cache';
import type { Relogio } from '../../platform/timing/relogio.ts';

/** How long a number is told as it is, and until when it is told once more while it is counted again; after that, whoever asks waits. */
interface Validade {
  /** Of a number of more rows than these. */
  readonly linhas: number;
  readonly fresco: number;
  readonly velho: number;
}

/** The most rows first. A number of fewer than the last has is counted at each asking. */
const VALIDADES: readonly Validade[] = [
  { linhas: 100_000, fresco: 60_000, velho: 10 * 60_000 },
  // Of a provider of some size: its people's first pages are not each worth counting tens of thousands of rows.
  { linhas: 10_000, fresco: 5000, velho: 60_000 },
];
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
  /** The last that is known, and how long it is told; null while it is counted for the first time. */
  pronto: { readonly numero: Numero<unknown>; readonly validade: Validade } | null;
  contando: Promise<Numero<unknown>> | null;
}

/** One for each process. Those who ask at the same time wait for one count. */
export function createMemoria(relogio: Relogio): Memoria {
  const guardados = new LRUCache<string, Guardado>({ max: MAIOR_QUANTIDADE });

  async function contarDeNovo<T>(chave: string, um: Guardado, contar: () => Promise<Contado<T>>): Promise<Numero<T>> {
    const de = relogio.agora();
    const { valor, linhas } = await contar();
    const numero = { valor, de };
    const validade = VALIDADES.find((uma) => linhas > uma.linhas);
    if (validade === undefined) guardados.delete(chave);
    else um.pronto = { numero, validade };
    return numero;
  }

  return {
    async lembrar<T>(provedorId: number, nome: string, contar: () => Promise<Contado<T>>): Promise<Numero<T>> {
      const chave = `${provedorId} ${nome}`;
      let um = guardados.get(chave);
      if (um === undefined) guardados.set(chave, (um = { pronto: null, contando: null }));
      // Under this name nothing else is kept.
      const { pronto } = um as { pronto: { readonly numero: Numero<T>; readonly validade: Validade } | null };
      const idade = pronto === null ? Infinity : relogio.agora().getTime() - pronto.numero.de.getTime();
      if (pronto !== null && idade < pronto.validade.fresco) return pronto.numero;
      const deste = um;
      deste.contando ??= contarDeNovo(chave, deste, contar).finally(() => {
        deste.contando = null;
      });
      const contando = deste.contando as Promise<Numero<T>>;
      if (pronto === null || idade > pronto.validade.velho) return contando;
      // Nobody waits for it; the next who asks tries again.
      contando.catch(() => {});
      return pronto.numero;
    },
  };
}
