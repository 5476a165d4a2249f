import type { Knex } from 'knex';
import { columns, computed, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import { RARO, comEstado, maisRaro, totalDe } from './filtros.queries.ts';
import type { Filtro } from './filtros.queries.ts';
import type { FiltroDeClientes, TotalDaLista } from './listas.types.ts';
import { aPartirDe } from './paginacao.regras.ts';
import type { ChaveRow, Lugar, OrdemDaLista } from './paginacao.regras.ts';

interface ClienteRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  cpf_cnpj: string;
  email: string | null;
  situacao: SituacaoCliente;
  cidade: string | null;
  uf: string | null;
}

const DO_CLIENTE = columns<ClienteRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  cpf_cnpj: true,
  email: true,
  situacao: true,
  cidade: true,
  uf: true,
});
const CHAVE = columns<ChaveRow>('clientes', { id: true, nome: true });
const DO_CONTRATO = columns<{ cliente_id: number; plano_id: number; plano_nome: string }>('contratos', {
  cliente_id: true,
  plano_id: true,
  plano_nome: 'planos.nome',
});
const DA_VENCIDA = columns<{ cliente_id: number }>('faturas', { cliente_id: true });

const CANCELADOS = ['cancelado', 'cancelado_definitivo'] as const;

export interface Instante {
  readonly agora: Date;
  readonly padraoSegundos: number;
}

export function createClientesDaListaQueries(tenant: TenantDb) {
  function filtrosDe({ situacao, cidade, planoId, conexao }: FiltroDeClientes): Filtro[] {
    const filtros: Filtro[] = [];
    if (situacao !== undefined) {
      const proprio = (q: Knex.QueryBuilder): void => void q.where('clientes.situacao', situacao);
      filtros.push({ tabela: 'clientes', indice: 'clientes_situacao', proprio });
    }
    if (cidade !== undefined) {
      const proprio = (q: Knex.QueryBuilder): void => void q.where('clientes.cidade', cidade);
      filtros.push({ tabela: 'clientes', indice: 'clientes_cidade', proprio });
    }
    if (planoId !== undefined) {
      const proprio = (q: Knex.QueryBuilder): void =>
        void q.where('contratos.plano_id', planoId).whereNotIn('contratos.situacao', [...CANCELADOS]);
      filtros.push({ tabela: 'contratos', indice: 'contratos_plano', proprio });
    }
    if (conexao === 'bloqueado') {
      const proprio = (q: Knex.QueryBuilder): void => void q.where('contratos.situacao', 'bloqueado');
      filtros.push({ tabela: 'contratos', indice: 'contratos_situacao', proprio });
    }
    return filtros;
  }

  /** Narrows clients by what each one's contracts are, found from the client. */
  function comContrato(query: Knex.QueryBuilder, proprio: (q: Knex.QueryBuilder) => void): void {
    // With its own LIMIT the server seeks each client's contracts, and does not gather first all that there are.
    const tem = tenant.from('contratos').whereRaw('contratos.cliente_id = clientes.id').modify(proprio).limit(1);
    query.whereRaw('(?) IS NOT NULL', [tem.select(tenant.db.raw('1'))]);
  }

  function filtrar(
    query: Knex.QueryBuilder,
    filtros: readonly Filtro[],
    { conexao }: FiltroDeClientes,
    { agora, padraoSegundos }: Instante,
  ): void {
    for (const { tabela, proprio } of filtros) {
      if (tabela === 'clientes') query.modify(proprio);
      else comContrato(query, proprio);
    }
    if (conexao === 'online' || conexao === 'offline') {
      comContrato(query, (contratos) => {
        contratos.join('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'));
        comEstado(
          contratos.whereNotIn('contratos.situacao', [...CANCELADOS]),
          'contratos',
          conexao,
          padraoSegundos,
          agora,
        );
      });
    }
  }

  /** The index in the list's order that the filters narrow most. */
  function indiceDaOrdem({ cidade, situacao }: FiltroDeClientes, ordem: OrdemDaLista): string {
    if (ordem.colunas[0] === 'nome') return cidade === undefined ? 'clientes_nome' : 'clientes_cidade';
    return situacao === undefined ? 'PRIMARY' : 'clientes_situacao';
  }

  return {
    /** Places of the rows of a page. */
    async chaves(filtro: FiltroDeClientes, ordem: OrdemDaLista, lugar: Lugar | null, instante: Instante) {
      const filtros = filtrosDe(filtro);
      const raro = await maisRaro(tenant, filtros);
      const comum = raro === null || raro.linhas > RARO;
      if (comum || raro.filtro.tabela === 'clientes') {
        const query = tenant.from('clientes', comum ? indiceDaOrdem(filtro, ordem) : raro.filtro.indice);
        filtrar(query, filtros, filtro, instante);
        aPartirDe(query, 'clientes', ordem, lugar);
        return rowsOf(query, CHAVE);
      }
      const donos = tenant.from('contratos', raro.filtro.indice).modify(raro.filtro.proprio).distinct('cliente_id');
      const query = tenant.from('clientes').whereIn('clientes.id', donos);
      filtrar(
        query,
        filtros.filter((outro) => outro !== raro.filtro),
        filtro,
        instante,
      );
      aPartirDe(query, 'clientes', ordem, lugar);
      return rowsOf(query, CHAVE);
    },

    async total(filtro: FiltroDeClientes, instante: Instante): Promise<TotalDaLista> {
      const filtros = filtrosDe(filtro);
      const raro = await maisRaro(tenant, filtros);
      const porConexao = filtro.conexao === 'online' || filtro.conexao === 'offline';
      if (raro === null || raro.filtro.tabela === 'clientes') {
        const query = tenant.from('clientes', raro === null ? 'clientes_situacao' : raro.filtro.indice);
        filtrar(query, filtros, filtro, instante);
        return totalDe(tenant, query, 'clientes.id', porConexao);
      }
      const query = tenant
        .from('contratos', raro.filtro.indice)
        .modify(raro.filtro.proprio)
        .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'));
      filtrar(
        query,
        filtros.filter((outro) => outro !== raro.filtro),
        filtro,
        instante,
      );
      return totalDe(tenant, query, 'clientes.id', porConexao);
    },

    linhas: async (ids: readonly number[]) =>
      rowsOf(
        tenant.from('clientes').whereIn('clientes.id', [...ids]),
        DO_CLIENTE,
        computed<{ telefones: string | null }>({
          telefones: tenant
            .from('clientes_telefones as t')
            .whereRaw('t.cliente_id = clientes.id')
            .select(tenant.db.raw('GROUP_CONCAT(t.numero ORDER BY t.id)')),
        }),
      ),

    contratos: async (clientes: readonly number[]) =>
      rowsOf(
        tenant
          .from('contratos')
          .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
          .whereIn('contratos.cliente_id', [...clientes])
          .whereNotIn('contratos.situacao', [...CANCELADOS])
          .orderBy(['contratos.cliente_id', 'contratos.id']),
        DO_CONTRATO,
      ),

    /** Of these clients, those with an open invoice that was due before a day. */
    async comVencida(clientes: readonly number[], hoje: string): Promise<Set<number>> {
      const vencidas = tenant
        .from('faturas', 'faturas_cliente')
        .whereIn('cliente_id', [...clientes])
        .where('grupo', 'aberta')
        .where('vencimento', '<', hoje)
        .distinct();
      return new Set((await rowsOf(vencidas, DA_VENCIDA)).map(({ cliente_id: id }) => id));
    },

    /** Clients in the order of their ids, for what goes through all of them. */
    async depoisDe(filtro: FiltroDeClientes, id: number, limite: number, instante: Instante): Promise<number[]> {
      const query = tenant.from('clientes', 'PRIMARY').where('clientes.id', '>', id);
      filtrar(query, filtrosDe(filtro), filtro, instante);
      return (await rowsOf(query.orderBy('clientes.id').limit(limite), CHAVE)).map((row) => row.id);
    },
  };
}
