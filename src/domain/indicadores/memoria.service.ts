import { LRUCache } from 'lru-cache';
import type { Relogio } from '../../platform/timing/relogio.ts';

/** For how long a number of many rows is told again. */
const UM_MINUTO = 60_000;
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

/** Keeps what takes long to count for a minute; who asks meanwhile is told of what instant it is. */
export interface Memoria {
  lembrar<T>(provedorId: number, nome: string, contar: () => Promise<Contado<T>>): Promise<Numero<T>>;
}

/** One for each process. Those who ask at the same time wait for one count. */
export function createMemoria(relogio: Relogio): Memoria {
  const guardados = new LRUCache<string, { readonly de: Date; readonly contado: Promise<unknown> }>({
    max: MAIOR_QUANTIDADE,
  });
  return {
    async lembrar<T>(provedorId: number, nome: string, contar: () => Promise<Contado<T>>): Promise<Numero<T>> {
      const chave = `${provedorId} ${nome}`;
      const agora = relogio.agora();
      const guardado = guardados.get(chave);
      if (guardado !== undefined && agora.getTime() - guardado.de.getTime() < UM_MINUTO) {
        // Under this name nothing else is kept.
        return { valor: (await guardado.contado) as T, de: guardado.de };
      }
      const contagem = contar();
      const novo = { de: agora, contado: contagem.then(({ valor }) => valor) };
      novo.contado.catch(() => {});
      guardados.set(chave, novo);
      const esquecer = (): void => {
        if (guardados.get(chave) === novo) guardados.delete(chave);
      };
      try {
        const { valor, linhas } = await contagem;
        if (linhas <= MUITAS) esquecer();
        return { valor, de: agora };
      } catch (error) {
        esquecer();
        throw error;
      }
    },
  };
}
