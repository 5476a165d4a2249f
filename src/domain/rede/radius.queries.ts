import { ABERTA, JUNTAR_OUVIDAS, ULTIMO_SINAL } from '../conexoes/radacct.regras.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { GRUPO_BLOQUEADO, grupoBloqueadoEm } from './grupos.regras.ts';
import type { LinhaDeGrupo, Pertencimento } from './grupos.regras.ts';

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
}

const DA_SESSAO = columns<SessaoAbertaRow>('r', { contrato_id: 'contratos.id', radacctid: true, nasipaddress: true });

interface Item {
  attribute: string;
  op: string;
  value: string;
}

interface ItemRow extends Item {
  groupname: string;
}

const TABELAS = ['radgroupcheck', 'radgroupreply'] as const;

const doItem = (tabela: string) =>
  columns<ItemRow>(tabela, { groupname: true, attribute: true, op: true, value: true });
const DO_ITEM = { radgroupcheck: doItem('radgroupcheck'), radgroupreply: doItem('radgroupreply') };

/** FreeRADIUS's own tables, which have no tenant, inside a write of one; see `planejarGrupos` for what that asks of us. */
export function createRadiusQueries(w: Write) {
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

    /** Gives `bloqueado` the meaning that it has where nobody gave it another: no entry. */
    async definirBloqueado(): Promise<void> {
      for (const tabela of TABELAS) {
        if ((await rowsOf(db(tabela).where('groupname', GRUPO_BLOQUEADO).limit(1), ID)).length > 0) return;
      }
      const recusa = { groupname: GRUPO_BLOQUEADO, attribute: 'Auth-Type', op: ':=', value: 'Reject' };
      await db('radgroupcheck').insert(recusa);
    },

    /** Makes groups mean what `bloqueado` means, on one NAS each. */
    async definirBloqueioEm(enderecos: readonly string[]): Promise<void> {
      if (enderecos.length === 0) return;
      const grupos = new Map(enderecos.map((endereco) => [grupoBloqueadoEm(endereco), endereco]));
      for (const tabela of TABELAS) {
        const deles = db(tabela).whereIn('groupname', [GRUPO_BLOQUEADO, ...grupos.keys()]);
        const rows = await rowsOf(deles.orderBy('id'), DO_ITEM[tabela]);
        const itensDe = (grupo: string): Item[] =>
          rows
            .filter(({ groupname }) => groupname === grupo)
            .map(({ attribute, op, value }) => ({ attribute, op, value }));
        const desejados = [...grupos].map(([grupo, value]) => ({
          grupo,
          itens: [
            ...(tabela === 'radgroupcheck' ? [{ attribute: 'NAS-IP-Address', op: '==', value }] : []),
            ...itensDe(GRUPO_BLOQUEADO),
          ],
        }));
        const outros = desejados.filter(({ grupo, itens }) => JSON.stringify(itens) !== JSON.stringify(itensDe(grupo)));
        const linhas = outros.flatMap(({ grupo, itens }) => itens.map((item) => ({ groupname: grupo, ...item })));
        if (outros.length > 0) {
          await db(tabela)
            .whereIn(
              'groupname',
              outros.map(({ grupo }) => grupo),
            )
            .delete();
        }
        if (linhas.length > 0) await db(tabela).insert(linhas);
      }
    },

    /** Open sessions of the contracts' logins on the provider's NASes, heard of since `desde`, newest first. */
    async sessoesAbertas(contratoIds: readonly number[], desde: Date): Promise<SessaoAbertaRow[]> {
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
