import type { Knex } from 'knex';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import { daConexao, juntarContratos, maisRaro, totalDe } from './filtros.queries.ts';
import type { Filtro, Instante } from './filtros.queries.ts';
import type { FiltroDeContratos, TotalDaLista } from './listas.types.ts';
import { aPartirDe } from './paginacao.regras.ts';
import type { ChaveRow, Lugar, OrdemDaLista } from './paginacao.regras.ts';

interface ContratoRow extends ChaveRow {
  cliente_id: number;
  plano_id: number;
  plano_nome: string;
  situacao: SituacaoContrato;
  login: string | null;
  cidade: string | null;
  dia_vencimento: number;
  valor: string;
  tem_registro: number;
  ouvida_em: string | null;
  intervalo_segundos: number | null;
}

const DO_CONTRATO = columns<ContratoRow>('contratos', {
  id: true,
  nome: 'clientes.nome',
  cliente_id: true,
  plano_id: true,
  plano_nome: 'planos.nome',
  situacao: true,
  login: true,
  cidade: true,
  dia_vencimento: true,
  valor: true,
  tem_registro: 'x.contrato_id IS NOT NULL',
  ouvida_em: 'x.ouvida_em',
  intervalo_segundos: 'x.intervalo_segundos',
});
const CHAVE = columns<{ id: number }>('contratos', { id: true });

export function createContratosDaListaQueries(tenant: TenantDb) {
  function filtrosDe(
    { situacao, planoId, cidade, diaVencimento, servidor, conexao }: FiltroDeContratos,
    instante: Instante,
  ): Filtro[] {
    const pedidos = [
      ['situacao', 'contratos_situacao', situacao],
      ['plano_id', 'contratos_de_plano', planoId],
      ['cidade', 'contratos_cidade', cidade],
      ['dia_vencimento', 'contratos_dia', diaVencimento],
    ] as const;
    const filtros = pedidos.flatMap(([coluna, indice, valor]): Filtro[] =>
      valor === undefined
        ? []
        : [{ tabela: 'contratos', indice, proprio: (q) => void q.where(`contratos.${coluna}`, valor) }],
    );
    if (servidor !== undefined) {
      const proprio = (q: Knex.QueryBuilder): void => void q.where('x.nas', servidor);
      filtros.push({ tabela: 'conexoes as x', indice: 'conexoes_servidor', proprio });
    }
    if (conexao !== undefined) filtros.push(daConexao(conexao, instante));
    return filtros;
  }

  /**
   * The contracts of a filter, gone through by the index of its rarest condition; that of a common one has to hold the order of the ids.
   * In an array, for a query is run where it is awaited.
   */
  async function filtrados(
    filtro: FiltroDeContratos,
    instante: Instante,
    semFiltro: string,
  ): Promise<[Knex.QueryBuilder]> {
    const filtros = filtrosDe(filtro, instante);
    const raro = await maisRaro(tenant, filtros);
    const { tabela = 'contratos', indice = semFiltro, semOrdem } = raro?.filtro ?? {};
    const query = tenant.from(tabela, raro?.comum === true && semOrdem === true ? 'PRIMARY' : indice);
    if (tabela === 'conexoes as x') {
      juntarContratos(query);
    } else if (filtro.conexao !== undefined || filtro.servidor !== undefined) {
      query.join('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'));
    }
    for (const { proprio } of filtros) query.modify(proprio);
    if (filtro.conexao !== undefined) query.where('contratos.login', '<>', '');
    return [query];
  }

  return {
    /** Ids of the rows of a page. */
    async chaves(filtro: FiltroDeContratos, ordem: OrdemDaLista, lugar: Lugar | null, instante: Instante) {
      const [query] = await filtrados(filtro, instante, 'PRIMARY');
      aPartirDe(query, 'contratos', ordem, lugar);
      return (await rowsOf(query, CHAVE)).map(({ id }) => ({ id, nome: '' }));
    },

    async total(filtro: FiltroDeContratos, instante: Instante): Promise<TotalDaLista> {
      const [query] = await filtrados(filtro, instante, 'contratos_de_plano');
      return totalDe(tenant, query, 'contratos.id', filtro.conexao !== undefined);
    },

    linhas: async (ids: readonly number[]) =>
      rowsOf(
        tenant
          .from('contratos')
          .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
          .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
          .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
          .whereIn('contratos.id', [...ids]),
        DO_CONTRATO,
      ),
  };
}
