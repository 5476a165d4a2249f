import { ABERTA, JUNTAR_OUVIDAS, ULTIMO_SINAL } from '../../conexoes/radacct.regras.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { LinhaDeGrupo, Pertencimento } from '../grupos.regras.ts';

export interface LinhaDeGrupoRow extends LinhaDeGrupo {
  contrato_id: number;
}

const DO_GRUPO = columns<LinhaDeGrupoRow>('radusergroup', {
  contrato_id: 'contratos.id',
  id: true,
  groupname: true,
  priority: true,
});

export interface SessaoAbertaRow {
  contrato_id: number;
  radacctid: number;
  nasipaddress: string;
  framedipaddress: string | null;
  delegatedipv6prefix: string | null;
  callingstationid: string | null;
}

const DA_SESSAO = columns<SessaoAbertaRow>('r', {
  contrato_id: 'contratos.id',
  radacctid: true,
  nasipaddress: true,
  framedipaddress: true,
  delegatedipv6prefix: true,
  callingstationid: true,
});

/** An open session that has not been heard of for this long is a leftover. */
const SESSAO_ESQUECIDA_MS = 30 * 86_400_000;

/** Groups and sessions of logins in FreeRADIUS's own tables, which have no tenant; see `planejarGrupos` for what that asks of us. */
export function createGruposQueries(w: Write) {
  const { db } = w.tenant;

  return {
    /** The groups that the contracts' logins are in, locked until the transaction ends. */
    async grupos(contratoIds: readonly number[]): Promise<LinhaDeGrupoRow[]> {
      const grupos = w
        .from('contratos')
        .join('radusergroup', 'radusergroup.username', 'contratos.login')
        .whereIn('contratos.id', contratoIds)
        .where('contratos.login', '<>', '')
        .orderBy('radusergroup.id')
        .forUpdate();
      return rowsOf(grupos, DO_GRUPO);
    },

    async trocarGrupos(apagar: readonly number[], inserir: readonly (Pertencimento & { username: string })[]) {
      if (apagar.length > 0) await db('radusergroup').whereIn('id', apagar).delete();
      if (inserir.length > 0) await db('radusergroup').insert(inserir);
    },

    /** Leads logins out of a group that was their plan's until now into the one that is: at no moment are they in none, nor twice. */
    async mudarDeGrupo(logins: readonly string[], de: string, para: string): Promise<void> {
      if (logins.length === 0) return;
      await db.raw(
        `INSERT INTO radusergroup (username, groupname, priority)
         SELECT d.username, ?, MIN(d.priority) FROM radusergroup d
          WHERE d.username IN (?) AND d.groupname = ?
            AND NOT EXISTS (SELECT 1 FROM radusergroup p WHERE p.username = d.username AND p.groupname = ?)
          GROUP BY d.username`,
        [para, [...logins], de, para],
      );
      await db('radusergroup').whereIn('username', logins).where('groupname', de).delete();
    },

    /** Open sessions of the contracts' logins on the provider's NASes, newest first. */
    async sessoesAbertas(contratoIds: readonly number[], agora: Date): Promise<SessaoAbertaRow[]> {
      const desde = new Date(agora.getTime() - SESSAO_ESQUECIDA_MS);
      const sessoes = w
        .from('contratos')
        .joinRaw('STRAIGHT_JOIN radacct r FORCE INDEX (username) ON r.username = contratos.login')
        .joinRaw(
          'STRAIGHT_JOIN provedores_nas n ON n.provedor_id = contratos.provedor_id AND n.nasipaddress = r.nasipaddress',
        )
        .joinRaw(JUNTAR_OUVIDAS)
        .whereIn('contratos.id', contratoIds)
        .where('contratos.login', '<>', '')
        .whereRaw(ABERTA)
        .whereRaw(`${ULTIMO_SINAL} >= CAST(? AS DATETIME)`, [toDatabaseTime(desde)])
        .orderBy('r.radacctid', 'desc');
      return rowsOf(sessoes, DA_SESSAO);
    },
  };
}
