import { fromDatabaseTime } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { ContratosService } from '../contratos/contratos.service.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, clienteTag } from '../tags.ts';
import { createClientesQueries } from './clientes.queries.ts';
import type { Cliente, ClienteRow, FiltroClientes } from './clientes.types.ts';
import { paraEndereco } from '../enderecos/enderecos.types.ts';

export type ClientesService = ReturnType<typeof createClientesService>;

export interface ClientesDeps {
  readonly tenant: TenantDb;
  readonly contratos: ContratosService;
  readonly trail: Trail;
}

export function createClientesService({ tenant, contratos, trail }: ClientesDeps) {
  const queries = createClientesQueries(tenant);

  /** Clients with phones and contracts: two statements at the same time, however many clients. */
  async function buscar(ids: readonly number[]): Promise<Cliente[]> {
    if (ids.length === 0) return [];
    const [rows, contratosPorCliente] = await Promise.all([
      queries.buscarComTelefones(ids),
      contratos.listarPorClientes(ids),
    ]);
    return [...groupBy(rows, (row) => row.id).values()].flatMap((doCliente) => {
      const telefones = doCliente.flatMap(({ telefone }) => telefone ?? []);
      return doCliente.slice(0, 1).map((row) => paraCliente(row, telefones, contratosPorCliente.get(row.id)));
    });
  }

  /** Completes clients that were read already. */
  async function completar(rows: readonly ClienteRow[]): Promise<Cliente[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const [telefones, contratosPorCliente] = await Promise.all([
      queries.listarTelefones(ids),
      contratos.listarPorClientes(ids),
    ]);
    const telefonesPorCliente = groupBy(telefones, (telefone) => telefone.cliente_id);
    return rows.map((row) => {
      const numeros = (telefonesPorCliente.get(row.id) ?? []).map(({ numero }) => numero);
      return paraCliente(row, numeros, contratosPorCliente.get(row.id));
    });
  }

  return {
    /** One page of clients, by id, each with its contracts. */
    async listar(filtro: FiltroClientes, pagina: PageRequest): Promise<Page<Cliente>> {
      const pessoa = filtro.cpfCnpj !== undefined || filtro.ultimosOito !== undefined;
      if (!pessoa || filtro.situacao !== undefined) {
        await trail.dependsOn(CLIENTES_TAG);
        const { itens, total } = await queries.listar(filtro, pagina);
        return { itens: await completar(itens), total };
      }
      // A person's answer outlives what happens to everyone else: first who it is, then only their own tags.
      await trail.dependsOn(BUSCA_DE_CLIENTES_TAG);
      const { itens: ids, total } = await queries.listarIds(filtro, pagina);
      await trail.dependsOn(...ids.map(clienteTag));
      return { itens: await buscar(ids), total };
    },

    /** The client with its contracts, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Cliente | null> {
      await trail.dependsOn(clienteTag(id));
      const [cliente] = await buscar([id]);
      return cliente ?? null;
    },
  };
}

function paraCliente(row: ClienteRow, telefones: string[], contratos: Contrato[] = []): Cliente {
  return {
    id: row.id,
    nome: row.nome,
    nomeFantasia: row.nome_fantasia,
    tipo: row.tipo,
    cpfCnpj: row.cpf_cnpj,
    email: row.email,
    telefones,
    situacao: row.situacao,
    dataNascimento: row.data_nascimento,
    criadoEm: fromDatabaseTime(row.criado_em),
    endereco: paraEndereco(row),
    contratos,
  };
}
