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

    /** Who saw a client, the latest first; the next page begins before the last id of this one. */
    async quemViu(clienteId: number, antesDe: number | null = null) {
      const query = tenant
        .from('acessos_a_dados', 'acessos_a_dados_cliente')
        .leftJoin('usuarios', sameTenant('acessos_a_dados', 'usuario_id', 'usuarios', 'id'))
        .where('acessos_a_dados.cliente_id', clienteId)
        .orderBy('acessos_a_dados.id', 'desc')
        .limit(POR_PAGINA + 1);
      if (antesDe !== null) query.where('acessos_a_dados.id', '<', antesDe);
      const rows = await rowsOf(query, DO_ACESSO);
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
