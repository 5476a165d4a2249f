import type { Trail } from '../../platform/cache/trail.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { ID, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { TipoDeAtendimento } from '../protocolos/protocolos.types.ts';
import { ATENDIMENTOS_TAG, clienteTag } from '../tags.ts';
import { createAtendimentosQueries } from './atendimentos.queries.ts';
import type { AtendimentoRow } from './atendimentos.queries.ts';
import type { Atendimento } from './atendimentos.types.ts';

export type LeituraDeAtendimentosService = ReturnType<typeof createLeituraDeAtendimentosService>;

interface LeituraDeAtendimentosDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
}

/** Contacts with subscribers, by their protocols. */
export function createLeituraDeAtendimentosService({ tenant, trail }: LeituraDeAtendimentosDeps) {
  const queries = createAtendimentosQueries(tenant);
  return {
    /** The contact of this number; null when this tenant has none. */
    async buscarPorProtocolo(protocolo: string): Promise<Atendimento | null> {
      const row = await queries.porProtocolo(protocolo);
      const cliente = row?.cliente_id ?? null;
      trail.dependsOn(cliente === null ? ATENDIMENTOS_TAG : clienteTag(cliente));
      return row === undefined ? null : paraAtendimento(row);
    },

    /** One page of a client's contacts, newest first, tickets and unblocks among them; null when this tenant has no such client. */
    async listarDoCliente(clienteId: number, pagina: PageRequest): Promise<Page<Atendimento> | null> {
      trail.dependsOn(clienteTag(clienteId));
      const [[cliente], { itens, total }] = await Promise.all([
        rowsOf(tenant.from('clientes').where('id', clienteId), ID),
        queries.listar(clienteId, pagina),
      ]);
      return cliente === undefined ? null : { itens: itens.map(paraAtendimento), total };
    },
  };
}

/** What the contacts are about that somebody did and nobody described. */
const ASSUNTOS: Readonly<Record<TipoDeAtendimento, string>> = {
  contato: 'Contato',
  chamado: 'Chamado',
  desbloqueio: 'Desbloqueio de confiança',
  desconexao: 'Reinício da conexão',
};

const paraAtendimento = (row: AtendimentoRow): Atendimento => ({
  protocolo: row.protocolo,
  tipo: row.tipo,
  canal: row.canal,
  clienteId: row.cliente_id,
  contratoId: row.contrato_id,
  chamadoId: row.chamado_id,
  assunto: row.assunto ?? ASSUNTOS[row.tipo],
  resumo: row.resumo,
  autor: row.autor,
  abertoEm: fromDatabaseTime(row.aberto_em),
});
