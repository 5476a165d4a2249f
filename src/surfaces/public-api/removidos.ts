import type { Permissao } from '../../domain/chaves/chaves.types.ts';
import type { Lista } from '../../domain/removidos/removidos.service.ts';
import { id, instant } from '../../kit/fields/fields.ts';
import { closed } from '../../platform/schema-type.ts';
import { atualizadoDesdeNaConsulta, instanteDe } from '../../objects/consulta.ts';
import { paginacaoNaConsulta } from './esquemas.ts';
import { comPaginacao, paginaPedida, rota } from './rota.ts';
import type { Rota } from './rota.ts';

const removidoSchema = closed(
  'Removido',
  { id, removido_em: instant },
  { description: 'O que deixou de existir em uma lista.' },
);

const consulta = {
  type: 'object',
  additionalProperties: false,
  properties: { ...atualizadoDesdeNaConsulta, ...paginacaoNaConsulta },
} as const;

/** The route by which an incremental reader of a list hears of what is gone from it; it stands before the list's `{id}`. */
export function rotaDosRemovidos(lista: Lista, grupo: string, permissao: Permissao): Rota {
  return rota.get({
    path: `/${lista}/removidos`,
    permission: permissao,
    group: grupo,
    summary: `Lista o que deixou de existir em ${lista}`,
    description: 'Do mais antigo para o mais novo. O que foi removido fica nesta lista por 400 dias.',
    reading: 'list',
    narrowedBy: [],
    bulk: true,
    query: consulta,
    data: { type: 'array', items: removidoSchema },
    // Operators remove rows without a word to the cache.
    kept: false,
    example: [{ id: 9, removido_em: '2026-11-10T13:05:00.000Z' }],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      const desde = instanteDe(query.atualizado_desde) ?? new Date(0);
      const removidos = await domain.removidos.listar(lista, desde, pagina);
      return comPaginacao(removidos, pagina, ({ id: registro, removidoEm }) => ({
        id: registro,
        removido_em: removidoEm.toISOString(),
      }));
    },
  });
}
