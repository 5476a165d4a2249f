import type { Knex } from 'knex';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { ListWalk, Page, PageRequest, Slice, SliceRequest } from '../../platform/paging/pages.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { ContratosService } from '../contratos/contratos.service.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import { leituraDe, proximaNovidade } from '../leituras.ts';
import type { LeitorDe } from '../leituras.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag, contratoTag } from '../tags.ts';
import { createClientesQueries } from './clientes.queries.ts';
import { buscaUmaPessoa } from './clientes.types.ts';
import type { Cliente, ClienteRow, FiltroClientes } from './clientes.types.ts';
import { paraEndereco } from '../enderecos/enderecos.types.ts';

export type ClientesService = ReturnType<typeof createClientesService>;

export interface ClientesDeps {
  readonly tenant: TenantDb;
  readonly contratos: ContratosService;
  readonly trail: Trail;
  readonly relogio: Relogio;
  readonly leitorDe: LeitorDe;
}

/** A search that finds more than this, such as a phone that half the city gave, is a list like any other. */
const LINHAS_DE_UMA_PESSOA = 500;

export function createClientesService({ tenant, contratos, trail, relogio, leitorDe }: ClientesDeps) {
  const queries = createClientesQueries(tenant);

  /** Clients with their contracts, by a statement that finds the clients; null when it finds more than `maximo` rows. */
  async function comContratos(clientes: Knex.QueryBuilder, maximo?: number): Promise<Cliente[] | null> {
    const achados = await contratos.juntarA(clientes, queries.colunas(), maximo);
    return achados?.map(({ cliente, contratos: seus }) => paraCliente(cliente, seus)) ?? null;
  }

  /** All clients whom a search for one person finds, by id; null where it is a list like any other. */
  async function daPessoa(filtro: FiltroClientes): Promise<Cliente[] | null> {
    if (filtro.atualizadoDesde !== undefined) trail.changesAt(proximaNovidade(relogio.agora()));
    // A person's answer outlives what happens to everyone else.
    const todos = buscaUmaPessoa(filtro) ? await comContratos(queries.achados(filtro), LINHAS_DE_UMA_PESSOA) : null;
    if (todos === null) return null;
    // What a code or a login finds changes with more than who the persons are.
    const soBusca =
      filtro.situacao === undefined &&
      filtro.atualizadoDesde === undefined &&
      filtro.codigoExterno === undefined &&
      filtro.login === undefined;
    trail.dependsOn(soBusca ? BUSCA_DE_CLIENTES_TAG : CLIENTES_TAG);
    trail.dependsOn(...todos.map(({ id }) => clienteTag(id)));
    return todos;
  }

  /** The reading of a list of clients. */
  function daLista(filtro: FiltroClientes): ListWalk | null {
    trail.dependsOn(CLIENTES_TAG);
    // How many there are in all changes with less than what is said of each.
    const contados = filtro.situacao === undefined && filtro.atualizadoDesde === undefined;
    const leitor = buscaUmaPessoa(filtro) ? null : leitorDe([contados ? BUSCA_DE_CLIENTES_TAG : CLIENTES_TAG]);
    return leituraDe('clientes', filtro, leitor);
  }

  async function paraClientes(rows: readonly ClienteRow[]): Promise<Cliente[]> {
    const contratosDe = await contratos.listarPorClientes(rows.map(({ id }) => id));
    return rows.map((row) => paraCliente(row, contratosDe.get(row.id)));
  }

  return {
    /** One page of clients, by id, each with its contracts. */
    async listar(filtro: FiltroClientes, { pagina, porPagina }: PageRequest): Promise<Page<Cliente>> {
      const todos = await daPessoa(filtro);
      if (todos !== null) {
        return { itens: todos.slice((pagina - 1) * porPagina, pagina * porPagina), total: todos.length };
      }
      const { itens, total } = await queries.listar(filtro, { pagina, porPagina }, daLista(filtro));
      return { itens: await paraClientes(itens), total };
    },

    /** The clients after a place in the list, by id, each with its contracts. */
    async listarApos(filtro: FiltroClientes, { after, limit }: SliceRequest): Promise<Slice<Cliente>> {
      const todos = await daPessoa(filtro);
      if (todos !== null) {
        const depois = todos.filter(({ id }) => id > Number(after?.[0] ?? 0));
        const itens = depois.slice(0, limit);
        const ultimo = itens.at(-1);
        const next = depois.length > limit && ultimo !== undefined ? [ultimo.id] : null;
        return { itens, total: todos.length, next };
      }
      const { itens, total, next } = await queries.listarApos(filtro, { after, limit }, daLista(filtro));
      return { itens: await paraClientes(itens), total, next };
    },

    /** Those whom a search for one person finds, the newest first, at most `limite`, each with its contracts. */
    async maisNovos(filtro: FiltroClientes, limite: number): Promise<Cliente[]> {
      const todos = await daPessoa(filtro);
      if (todos !== null) return todos.toReversed().slice(0, limite);
      trail.dependsOn(CLIENTES_TAG);
      return paraClientes(await queries.maisNovos(filtro, limite));
    },

    /** The holder of a contract, with all of its contracts; none when this tenant has no such contract. */
    async doContrato(contratoId: number): Promise<Cliente[]> {
      const titular = (await comContratos(queries.doContrato(contratoId))) ?? [];
      trail.dependsOn(contratoTag(contratoId), ...titular.map(({ id }) => clienteTag(id)));
      return titular;
    },

    /** All registrations of a tax id, whatever their state, by id, each with its contracts. */
    async doDocumento(cpfCnpj: string): Promise<Cliente[]> {
      const todos = (await comContratos(queries.achados({ cpfCnpj }))) ?? [];
      trail.dependsOn(BUSCA_DE_CLIENTES_TAG, ...todos.map(({ id }) => clienteTag(id)));
      return todos;
    },

    /** The client with its contracts, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Cliente | null> {
      trail.dependsOn(clienteTag(id));
      const [cliente] = (await comContratos(queries.deId(id))) ?? [];
      return cliente ?? null;
    },
  };
}

function paraCliente(row: ClienteRow, contratos: Contrato[] = []): Cliente {
  return {
    id: row.id,
    nome: row.nome,
    nomeFantasia: row.nome_fantasia,
    tipo: row.tipo,
    cpfCnpj: row.cpf_cnpj,
    email: row.email,
    telefones: row.telefones?.split(',') ?? [],
    situacao: row.situacao,
    dataNascimento: row.data_nascimento,
    codigoExterno: row.codigo_externo,
    criadoEm: fromDatabaseTime(row.criado_em),
    atualizadoEm: fromDatabaseTime(row.atualizado_em),
    apagadoEm: row.apagado_em === null ? null : fromDatabaseTime(row.apagado_em),
    endereco: paraEndereco(row),
    contratos,
  };
}
