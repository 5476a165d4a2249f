import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import { createTenantWriter, sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';

export type AcessosService = ReturnType<typeof createAcessosService>;

type OQueSeViu = 'cliente' | 'extrato' | 'csv';

/** That a user has looked at personal data. */
export interface Acesso {
  readonly usuarioId: number;
  /** Null of a list of many. */
  readonly clienteId: number | null;
  readonly oQue: OQueSeViu;
}

interface AcessoRow {
  id: number;
  usuario_id: number;
  usuario_nome: string | null;
  cliente_id: number | null;
  o_que: OQueSeViu;
  ocorrido_em: string;
}

const DO_ACESSO = columns<AcessoRow>('acessos_a_dados', {
  id: true,
  usuario_id: true,
  usuario_nome: 'usuarios.nome',
  cliente_id: true,
  o_que: true,
  ocorrido_em: true,
});

const POR_PAGINA = 50;

/** Who saw whose data. It is no audit log: nothing was changed, and no answer depends on it. */
export function createAcessosService({ tenant, relogio }: { readonly tenant: TenantDb; readonly relogio: Relogio }) {
  /** Of a client or, with null, of lists of many: each by the index, which an OR of the two would not be read by in order. */
  async function ultimos(clienteId: number | null, antesDe: number | null): Promise<AcessoRow[]> {
    const query = tenant
      .from('acessos_a_dados', 'acessos_a_dados_cliente')
      .leftJoin('usuarios', sameTenant('acessos_a_dados', 'usuario_id', 'usuarios', 'id'))
      .where({ 'acessos_a_dados.cliente_id': clienteId })
      .orderBy('acessos_a_dados.id', 'desc')
      .limit(POR_PAGINA + 1);
    if (antesDe !== null) query.where('acessos_a_dados.id', '<', antesDe);
    return rowsOf(query, DO_ACESSO);
  }

  return {
    /** One row, and nothing else: neither event nor audit line. */
    async anotarAcesso({ usuarioId, clienteId, oQue }: Acesso): Promise<void> {
      await createTenantWriter(tenant.db, tenant.provedorId).insert('acessos_a_dados', {
        usuario_id: usuarioId,
        cliente_id: clienteId,
        o_que: oQue,
        ocorrido_em: toDatabaseTime(relogio.agora()),
      });
    },

    /**
     * Who saw a client, the latest first: who opened it, and who took a list of many, in which it may have been. Without a client, only the
     * latter. The next page begins before the last id of this one.
     */
    async quemViu(clienteId: number | null, antesDe: number | null = null) {
      const [listas, dele] = await Promise.all([
        ultimos(null, antesDe),
        clienteId === null ? [] : ultimos(clienteId, antesDe),
      ]);
      const rows = [...listas, ...dele].toSorted((um, outro) => outro.id - um.id);
      const itens = rows.slice(0, POR_PAGINA).map((row) => ({
        id: row.id,
        usuarioId: row.usuario_id,
        nome: row.usuario_nome ?? '',
        oQue: row.o_que,
        em: fromDatabaseTime(row.ocorrido_em),
      }));
      return { itens, proxima: rows.length > POR_PAGINA ? (itens.at(-1)?.id ?? null) : null };
    },
  };
}
