import { LRUCache } from 'lru-cache';
import type { Provedor } from './provedores.types.ts';

/** So many that no process with fewer providers has any of them twice. */
const MAXIMO = 1000;

interface Lido {
  readonly texto: string;
  readonly provedor: Provedor;
}

/**
 * One object a provider for all who keep what they found of it. A door keeps thousands of credentials, each with its
 * provider: with an object each, they took more memory than the answers that are kept.
 */
export function createProvedoresLidos() {
  const lidos = new LRUCache<number, Lido>({ max: MAXIMO });

  return {
    /** What was found, with the object that its provider was before; with its own where something has changed. */
    comUmSo<T extends { readonly provedor: Provedor }>(achado: T | null): T | null {
      if (achado === null) return null;
      const { provedor } = achado;
      // The sets of its calendar are left out of the text, but not the key that tells them apart.
      const texto = JSON.stringify(provedor);
      const lido = lidos.get(provedor.id);
      if (lido?.texto === texto) return { ...achado, provedor: lido.provedor };
      lidos.set(provedor.id, { texto, provedor });
      return achado;
    },
  };
}
