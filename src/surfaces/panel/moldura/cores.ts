import type { DaVersao } from '../../../domain/campos/versao.ts';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../../../domain/actor.ts';
import type { FormasDaConfiguracaoService } from '../../../domain/provedores/configuracao/formas.service.ts';
import { asManyAs } from '../../../platform/as-many.ts';
import { COR_PADRAO } from './cor.ts';

/** Every page asks for it, and it almost never changes. */
const TTL_MS = 30_000;
const MAIS_PROVEDORES = 10_000;

export interface CoresDeps {
  /** `#rrggbb` of a provider's pages; null where it has said none. */
  readonly buscar: (provedorId: number) => Promise<string | null>;
}

/** The colours of providers, which a process remembers for half a minute. */
export function createCores({ buscar }: CoresDeps) {
  const lembradas = new LRUCache<number, string>({
    ...asManyAs(MAIS_PROVEDORES),
    ttl: TTL_MS,
    fetchMethod: async (id) => (await buscar(id)) ?? COR_PADRAO,
  });
  return {
    de: async (provedorId: number): Promise<string> => (await lembradas.fetch(provedorId)) ?? COR_PADRAO,

    /** The same service, after which whoever changed the colour sees the new one at once. */
    esquecendo: <S extends FormasDaConfiguracaoService>(servico: S): S => ({
      ...servico,
      async configurarIdentidade(actor: Actor, provedorId: number, dados: unknown, lida?: DaVersao) {
        const feito = await servico.configurarIdentidade(actor, provedorId, dados, lida);
        lembradas.delete(provedorId);
        return feito;
      },
    }),
  };
}
