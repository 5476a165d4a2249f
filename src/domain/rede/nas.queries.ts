import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { paraNasNaRede } from './configuracao/configuracao.types.ts';
import type { NasNaRedeRow } from './configuracao/configuracao.types.ts';
import { gruposDoNas } from './grupos.regras.ts';
import { USOS_DE_COA } from './rede.types.ts';
import type { Nas, NovoNas } from './rede.types.ts';

interface NasRow extends NasNaRedeRow {
  porta_coa: number;
  shortname: string | null;
  porta_ate: string | null;
  nas_id: number | null;
}

const DO_NAS = columns<NasRow>('p', {
  nasipaddress: true,
  porta_coa: true,
  coa: true,
  bloqueio: true,
  bloqueio_nome: true,
  shortname: 'nas.shortname',
  porta_ate: true,
  nas_id: 'nas.id',
});

const PORTA = columns<Pick<NasRow, 'porta_coa'>>('provedores_nas', { porta_coa: true });

interface LoginNegadoRow {
  username: string;
  /** The group it is in, of those that hold on one NAS. */
  groupname: string;
  priority: number;
}

const DO_LOGIN = columns<LoginNegadoRow>('radusergroup', {
  username: true,
  groupname: 'min(`groupname`)',
  priority: 'min(`priority`)',
});

/** NASes of one provider, by address. */
export async function listarNas(db: Db, provedorId: number): Promise<Nas[]> {
  const seus = createTenantDb(db, provedorId)
    .from('provedores_nas as p')
    .leftJoin('nas', 'nas.nasname', 'p.nasipaddress')
    .orderByRaw('INET_ATON(p.nasipaddress)');
  const rows = await rowsOf(seus, DO_NAS);
  return rows.map((row) => ({
    ...paraNasNaRede(row),
    portaCoa: row.porta_coa,
    nome: row.shortname,
    portaAte: row.porta_ate,
    temSegredo: row.nas_id !== null,
  }));
}

export function createNasQueries(w: Write) {
  const { db } = w.tenant;
  return {
    async gravar({ endereco, portaCoa, coa, bloqueio, portaAte }: NovoNas, existe: boolean): Promise<void> {
      const colunas = {
        ...(portaCoa === undefined ? {} : { porta_coa: portaCoa }),
        ...(portaAte === undefined ? {} : { porta_ate: portaAte }),
        ...(coa === undefined ? {} : { coa: USOS_DE_COA.indexOf(coa) }),
        ...(bloqueio === undefined ? {} : { bloqueio: bloqueio?.tipo ?? null, bloqueio_nome: bloqueio?.nome ?? null }),
      };
      if (existe) {
        // Of a NAS whose secret alone is new there is nothing to write here.
        if (Object.keys(colunas).length === 0) return;
        await w.update('provedores_nas', (q) => void q.where('nasipaddress', endereco), colunas);
      } else await w.insert('provedores_nas', { nasipaddress: endereco, ...colunas }, { soughtBefore: true });
    },

    /** Whether FreeRADIUS knows a secret of the NAS, by its address. */
    async temSegredo(endereco: string): Promise<boolean> {
      return (await rowsOf(db('nas').where('nasname', endereco), ID)).length > 0;
    },

    /** The port of a NAS that there is. */
    async portaCoa(nasipaddress: string): Promise<number> {
      const [row] = await rowsOf(w.from('provedores_nas').where({ nasipaddress }), PORTA);
      if (row === undefined) throw new Error(`no NAS ${nasipaddress}`);
      return row.porta_coa;
    },

    /** Makes FreeRADIUS know the NAS, by its address. */
    async gravarCliente({ endereco, nome, segredo }: NovoNas): Promise<void> {
      const cliente = {
        ...(segredo === undefined ? {} : { secret: segredo }),
        ...(nome === null ? {} : { shortname: nome }),
      };
      if (Object.keys(cliente).length === 0) return;
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
        await db(tabela).whereIn('groupname', gruposDoNas(endereco)).delete();
      }
      return removidos;
    },

    /** Logins that are blocked or refused on some NAS alone. */
    async negadosEm(enderecos: readonly string[]): Promise<LoginNegadoRow[]> {
      const grupos = enderecos.flatMap(gruposDoNas);
      return rowsOf(db('radusergroup').whereIn('groupname', grupos).groupBy('username'), DO_LOGIN);
    },
  };
}
