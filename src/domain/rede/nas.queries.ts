import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { grupoBloqueadoEm } from './grupos.regras.ts';
import type { Nas, NovoNas } from './rede.types.ts';

interface NasRow {
  nasipaddress: string;
  porta_coa: number;
  shortname: string | null;
  nas_id: number | null;
}

const DO_NAS = columns<NasRow>('p', {
  nasipaddress: true,
  porta_coa: true,
  shortname: 'nas.shortname',
  nas_id: 'nas.id',
});

interface LoginBloqueadoRow {
  username: string;
  priority: number;
}

const DO_LOGIN = columns<LoginBloqueadoRow>('radusergroup', { username: true, priority: 'min(`priority`)' });

/** NASes of one provider, by address. */
export async function listarNas(db: Db, provedorId: number): Promise<Nas[]> {
  const seus = createTenantDb(db, provedorId)
    .from('provedores_nas as p')
    .leftJoin('nas', 'nas.nasname', 'p.nasipaddress')
    .orderByRaw('INET_ATON(p.nasipaddress)');
  const rows = await rowsOf(seus, DO_NAS);
  return rows.map(({ nasipaddress, porta_coa, shortname, nas_id }) => ({
    endereco: nasipaddress,
    portaCoa: porta_coa,
    nome: shortname,
    temSegredo: nas_id !== null,
  }));
}

export function createNasQueries(w: Write) {
  const { db } = w.tenant;
  return {
    async gravar({ endereco, portaCoa }: NovoNas, existe: boolean): Promise<void> {
      if (existe)
        await w.update('provedores_nas', (q) => void q.where('nasipaddress', endereco), { porta_coa: portaCoa });
      else await w.insert('provedores_nas', { nasipaddress: endereco, porta_coa: portaCoa }, { soughtBefore: true });
    },

    /** Makes FreeRADIUS know the NAS, by its address. */
    async gravarCliente({ endereco, nome, segredo }: NovoNas): Promise<void> {
      const cliente = { secret: segredo, ...(nome === null ? {} : { shortname: nome }) };
      if ((await db('nas').where('nasname', endereco).update(cliente)) > 0) return;
      const existe = await rowsOf(db('nas').where('nasname', endereco), ID);
      if (existe.length === 0) await db('nas').insert({ nasname: endereco, shortname: endereco, ...cliente });
    },

    /** Removes a NAS, with what `planejarGrupos` wrote for it; resolves to how many there were. */
    async remover(endereco: string): Promise<number> {
      const removidos = await w.delete('provedores_nas', (q) => void q.where('nasipaddress', endereco));
      if (removidos === 0) return 0;
      await db('nas').where('nasname', endereco).delete();
      for (const tabela of ['radusergroup', 'radgroupcheck', 'radgroupreply']) {
        await db(tabela).where('groupname', grupoBloqueadoEm(endereco)).delete();
      }
      return removidos;
    },

    /** Logins that are blocked on some NAS alone. */
    async bloqueadosEm(enderecos: readonly string[]): Promise<LoginBloqueadoRow[]> {
      const grupos = enderecos.map(grupoBloqueadoEm);
      return rowsOf(db('radusergroup').whereIn('groupname', grupos).groupBy('username'), DO_LOGIN);
    },
  };
}
