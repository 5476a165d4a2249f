import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { leituraDe, proximaNovidade } from '../leituras.ts';
import type { LeitorDe } from '../leituras.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../tags.ts';
import { createChamadosQueries } from './chamados.queries.ts';
import type { Chamado, ChamadoRow, EntradaHistorico, FiltroChamados } from './chamados.types.ts';

export type ChamadosService = ReturnType<typeof createChamadosService>;

export interface ChamadosDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
  readonly relogio: Relogio;
  readonly leitorDe: LeitorDe;
}

export function createChamadosService({ tenant, trail, relogio, leitorDe }: ChamadosDeps) {
  const queries = createChamadosQueries(tenant);
  return {
    /** One page of tickets, newest first. */
    async listar(filtro: FiltroChamados, pagina: PageRequest): Promise<Page<Chamado>> {
      if (filtro.atualizadoDesde !== undefined) trail.changesAt(proximaNovidade(relogio.agora()));
      trail.dependsOn(filtro.clienteId === undefined ? CHAMADOS_TAG : clienteTag(filtro.clienteId));
      const { clienteId, contratoId, protocolo } = filtro;
      const todos = [clienteId, contratoId, protocolo].every((um) => um === undefined);
      const leitura = leituraDe('chamados', filtro, todos ? leitorDe([CHAMADOS_TAG]) : null);
      const { itens, total } = await queries.listar(filtro, pagina, leitura);
      return { itens: itens.map(paraChamado), total };
    },

    /** Open tickets of some clients, of each at most `limite`, newest first. The caller has named the clients' tags. */
    async emAbertoDosClientes(clienteIds: readonly number[], limite: number): Promise<Chamado[]> {
      return (await queries.emAbertoDosClientes(clienteIds, limite)).map(paraChamado);
    },

    /** The ticket, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Chamado | null> {
      trail.dependsOn(chamadoTag(id));
      const row = await queries.buscarPorId(id);
      return row === undefined ? null : paraChamado(row);
    },

    /** What happened to a ticket, oldest first; null when this tenant has no such ticket. */
    async listarHistorico(id: number): Promise<EntradaHistorico[] | null> {
      trail.dependsOn(chamadoTag(id));
      const [chamado, entradas] = await Promise.all([queries.buscarPorId(id), queries.listarHistorico(id)]);
      if (chamado === undefined) return null;
      return entradas.map((row) => ({
        id: row.id,
        acao: row.acao,
        descricao: row.descricao,
        autor: row.autor,
        ocorridoEm: fromDatabaseTime(row.ocorrido_em),
      }));
    },
  };
}

/** The row as everybody sees it. */
export function paraChamado(row: ChamadoRow): Chamado {
  return {
    id: row.id,
    protocolo: row.protocolo,
    clienteId: row.cliente_id,
    contratoId: row.contrato_id,
    situacao: row.situacao,
    prioridade: row.prioridade,
    categoria: row.categoria,
    assunto: row.assunto,
    descricao: row.descricao,
    solucao: row.solucao,
    abertoEm: fromDatabaseTime(row.aberto_em),
    fechadoEm: row.fechado_em === null ? null : fromDatabaseTime(row.fechado_em),
    agendadoPara: row.agendado_para === null ? null : fromDatabaseTime(row.agendado_para),
  };
}
