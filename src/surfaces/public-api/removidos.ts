import type { Permissao } from '../../domain/chaves/chaves.types.ts';
import type { Lista } from '../../domain/removidos/removidos.service.ts';
import { atualizadoDesdeNaConsulta, id, instante, paginacaoNaConsulta } from './esquemas.ts';
import { comPaginacao, instanteDe, paginaPedida, rota } from './rota.ts';
import type { Rota } from './rota.ts';

const removidoSchema = {
  title: 'Removido',
  type: 'object',
  description: 'O que deixou de existir em uma lista.',
  additionalProperties: false,
  required: ['id', 'removido_em'],
  properties: { id, removido_em: instante },
} as const;

const consulta = {
  type: 'object',
  additionalProperties: false,
  properties: { ...atualizadoDesdeNaConsulta, ...paginacaoNaConsulta },
} as const;

/** The route by which an incremental reader of a list hears of what is gone from it; it stands before the list's `{id}`. */
export function rotaDosRemovidos(lista: Lista, grupo: string, permissao: Permissao): Rota {
  return rota({
    metodo: 'GET',
    caminho: `/${lista}/removidos`,
    permissao,
    grupo,
    resumo: `Lista o que deixou de existir em ${lista}`,
    descricao: 'Do mais antigo para o mais novo. O que foi removido fica nesta lista por 400 dias.',
    consulta,
    dados: { type: 'array', items: removidoSchema },
    paginada: true,
    // Operators remove rows without a word to the cache.
    daChave: true,
    exemplo: [{ id: 9, removido_em: '2026-11-10T13:05:00.000Z' }],
    async executar({ consulta: pedida, dominio }) {
      const pagina = paginaPedida(pedida);
      const removidos = await dominio.removidos.listar(
        lista,
        instanteDe(pedida.atualizado_desde) ?? new Date(0),
        pagina,
      );
      return comPaginacao(removidos, pagina, ({ id: registro, removidoEm }) => ({
        id: registro,
        removido_em: removidoEm.toISOString(),
      }));
    },
  });
}
