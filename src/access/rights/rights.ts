import { PERMISSOES } from '../../domain/chaves/chaves.types.ts';
import type { Chave } from '../../domain/chaves/chaves.types.ts';
import { chavePode } from '../../domain/chaves/poder.regras.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Rights } from '../../kit/rights/rights.ts';

/** Of callers of a kind who are all answered alike, or each by answers of his own. */
export const rightsOfAll = (kind: string): Rights => ({ name: kind, restricted: null });

/** Rights that go by a list of permissions. Their names are in the list's order and hold no blank. */
export const rightsByPermissions = (kind: string, permissions: readonly string[]): Rights =>
  rightsOfAll(`${kind}:${permissions.join(',')}`);

/** What a key's restrictions and permissions make of it. */
export function rightsOfKey(chave: Chave, { buscas }: Provedor): Rights {
  const { restricoes } = chave;
  // A bit a permission: the name is part of every key of the cache.
  const held = PERMISSOES.reduce((bits, permissao, n) => (chavePode(chave, permissao) ? bits + 2 ** n : bits), 0);
  const masked = restricoes.includes('dados_mascarados');
  const searchOnly = restricoes.includes('somente_busca');
  return {
    name: `${held.toString(36)}.${masked ? 'm' : ''}${searchOnly ? 'b' : ''}`,
    restricted:
      restricoes.length === 0
        ? null
        : { masked, searchOnly, mostMisses: buscas.emVaoPorHora, mostPeople: buscas.clientesPorHora },
  };
}
