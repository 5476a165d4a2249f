import type { Knex } from 'knex';
import { columns, computed, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { SituacaoCliente } from '../clientes/clientes.types.ts';
import { daConexao, juntarContratos, maisRaro, totalDe } from './filtros.queries.ts';
import type { Filtro, Instante } from './filtros.queries.ts';
import type { FiltroDeClientes, TotalDaLista } from './listas.types.ts';
import { aPartirDe, haOutraPagina } from './paginacao.regras.ts';
import type { ChaveRow, Lugar, OrdemDaLista } from './paginacao.regras.ts';
import { SITUACOES_DE_CANCELADO } from '../contratos/contratos.types.ts';

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

/** Clients of the list that are tried by common conditions, before the rarest of these is gone through. */
const OLHADOS = 2000;

export function createClientesDaListaQueries(tenant: TenantDb) {
  function filtrosDe({ situacao, cidade, planoId, conexao }: FiltroDeClientes, instante: Instante): Filtro[] {
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
        void q.where('contratos.plano_id', planoId).whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO);
      filtros.push({ tabela: 'contratos', indice: 'contratos_do_plano', proprio });
    }
    if (conexao === 'bloqueado') {
      const proprio = (q: Knex.QueryBuilder): void => void q.where('contratos.situacao', 'bloqueado');
      filtros.push({ tabela: 'contratos', indice: 'contratos_situacao', proprio });
    } else if (conexao !== undefined) {
      filtros.push(daConexao(conexao, instante));
    }
    return filtros;
  }

  /** Contracts that have a line, of records of connections. */
  const comLinha = (contratos: Knex.QueryBuilder): void =>
    void contratos.whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO).where('contratos.login', '<>', '');

  /** Contracts of a filter that is not the clients' own, by an index of its. In an array, for a query is run where it is awaited. */
  function contratosDe({ tabela, indice, proprio }: Filtro): [Knex.QueryBuilder] {
    const query = tenant.from(tabela, indice).modify(proprio);
    if (tabela === 'conexoes as x') query.modify(juntarContratos).modify(comLinha);
    return [query];
  }

  /** Narrows clients by what each one's contracts are, found from the client. */
  function comContrato(query: Knex.QueryBuilder, { tabela, proprio }: Filtro): void {
    const contratos = tenant.from('contratos').whereRaw('contratos.cliente_id = clientes.id');
    if (tabela === 'conexoes as x') {
      contratos.join('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id')).modify(comLinha);
    }
    // With its own LIMIT the server seeks each client's contracts, and does not gather first all that there are.
    query.whereRaw('(?) IS NOT NULL', [contratos.modify(proprio).limit(1).select(tenant.db.raw('1'))]);
  }

  function filtrar(query: Knex.QueryBuilder, filtros: readonly Filtro[]): void {
    for (const filtro of filtros) {
      if (filtro.tabela === 'clientes') query.modify(filtro.proprio);
      else comContrato(query, filtro);
    }
  }

  /** The index in the list's order that the filters narrow most, and what it is narrowed by. */
  function indiceDaOrdem({ cidade, situacao }: FiltroDeClientes, ordem: OrdemDaLista): [string, object] {
    if (ordem.colunas[0] === 'nome') {
      return cidade === undefined ? ['clientes_nome', {}] : ['clientes_cidade', { 'clientes.cidade': cidade }];
    }
    return situacao === undefined ? ['PRIMARY', {}] : ['clientes_situacao', { 'clientes.situacao': situacao }];
  }

  /** Up to so many clients from a place on, by the index in the list's order. In an array, for a query is run where it is awaited. */
  function naOrdem(filtro: FiltroDeClientes, ...onde: [OrdemDaLista, Lugar | null, number?]): [Knex.QueryBuilder] {
    const [indice, dele] = indiceDaOrdem(filtro, onde[0]);
    const query = tenant.from('clientes', indice).where(dele);
    aPartirDe(query, 'clientes', ...onde);
    return [query];
  }

  /** Clients by the filter that finds the fewest. In an array, for a query is run where it is awaited. */
  function doMaisRaro(filtros: readonly Filtro[], raro: Filtro): [Knex.QueryBuilder] {
    if (raro.tabela === 'clientes') {
      const query = tenant.from('clientes', raro.indice);
      filtrar(query, filtros);
      return [query];
    }
    const [donos] = contratosDe(raro);
    const query = tenant.db
      .from(donos.distinct('contratos.cliente_id').as('d'))
      .joinRaw('STRAIGHT_JOIN clientes ON clientes.provedor_id = ? AND clientes.id = d.cliente_id', [
        tenant.provedorId,
      ]);
    filtrar(
      query,
      filtros.filter((outro) => outro !== raro),
    );
    return [query];
  }

  return {
    /** Places of the rows of a page. */
    async chaves(filtro: FiltroDeClientes, ordem: OrdemDaLista, lugar: Lugar | null, instante: Instante) {
      const filtros = filtrosDe(filtro, instante);
      const raro = await maisRaro(tenant, filtros);
      if (raro === null) {
        const [query] = naOrdem(filtro, ordem, lugar);
        return rowsOf(query, CHAVE);
      }
      if (raro.comum) {
        // Of a common condition a page is soon full, unless the list's first clients lack it, as those of years ago lack the plan of this
        // year, or hardly any has all of several: only the first of the list are looked at.
        const [primeiros] = naOrdem(filtro, ordem, lugar, OLHADOS);
        const deles = primeiros.select('clientes.id', 'clientes.nome', 'clientes.situacao', 'clientes.cidade');
        const query = tenant.db.from(deles.as('clientes'));
        filtrar(query, filtros);
        aPartirDe(query, 'clientes', ordem, lugar);
        const achados = await rowsOf(query, CHAVE);
        if (haOutraPagina(achados)) return achados;
        // Where the list ends before, there are no others.
        const [olhados] = naOrdem(filtro, ordem, lugar, OLHADOS);
        if ((await rowsOf(olhados, CHAVE)).length < OLHADOS) return achados;
      }
      const [query] = doMaisRaro(filtros, raro.filtro);
      aPartirDe(query, 'clientes', ordem, lugar);
      return rowsOf(query, CHAVE);
    },

    async total(filtro: FiltroDeClientes, instante: Instante): Promise<TotalDaLista> {
      const filtros = filtrosDe(filtro, instante);
      const raro = await maisRaro(tenant, filtros);
      const porConexao = filtro.conexao === 'online' || filtro.conexao === 'offline';
      if (raro === null || raro.filtro.tabela === 'clientes') {
        const query = tenant.from('clientes', raro === null ? 'clientes_situacao' : raro.filtro.indice);
        filtrar(query, filtros);
        return totalDe(tenant, query, 'clientes.id', porConexao);
      }
      const [query] = contratosDe(raro.filtro);
      query.join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'));
      filtrar(
        query,
        filtros.filter((outro) => outro !== raro.filtro),
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
          .whereNotIn('contratos.situacao', SITUACOES_DE_CANCELADO)
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
      filtrar(query, filtrosDe(filtro, instante));
      return (await rowsOf(query.orderBy('clientes.id').limit(limite), CHAVE)).map((row) => row.id);
    },
  };
}
