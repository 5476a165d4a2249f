import type { Knex } from 'knex';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { DO_DISPOSITIVO, paraDispositivo } from '../push.types.ts';
import type { Dispositivo, DonoDoDispositivo } from '../push.types.ts';

export type ListaDeDispositivosService = ReturnType<typeof createListaDeDispositivosService>;

/** Devices of an owner, of all his sessions. */
export function dispositivosDe(de: Pick<TenantDb, 'from'>, dono: DonoDoDispositivo): Knex.QueryBuilder {
  const deles = de.from('push_dispositivos');
  return 'acessoId' in dono ? deles.where('acesso_id', dono.acessoId) : deles.where('usuario_id', dono.usuarioId);
}

/** On which devices somebody is told things. */
export function createListaDeDispositivosService(tenant: TenantDb) {
  return {
    /** The newest first. */
    async listar(dono: DonoDoDispositivo): Promise<Dispositivo[]> {
      return (await rowsOf(dispositivosDe(tenant, dono).orderBy('id', 'desc'), DO_DISPOSITIVO)).map(paraDispositivo);
    },

    /** Null where it is not one of his. */
    async buscar(dono: DonoDoDispositivo, id: number): Promise<Dispositivo | null> {
      const [row] = await rowsOf(dispositivosDe(tenant, dono).where({ id }), DO_DISPOSITIVO);
      return row === undefined ? null : paraDispositivo(row);
    },
  };
}
