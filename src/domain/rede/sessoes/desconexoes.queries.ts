import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { ABERTA } from '../../conexoes/radacct.regras.ts';
import type { EstadoDaDesconexao } from '../rede.types.ts';

/** A session to be changed or ended; what radacct says of it is null where it is gone or over. */
export interface DesconexaoRow {
  id: number;
  contrato_id: number;
  nasipaddress: string;
  tentativas: number;
  /** Null where the NAS is not the provider's any more. */
  porta_coa: number | null;
  /** As `UsoDeCoa`; null with it. */
  coa: number | null;
  /** The group whose attributes it gets; null: it is ended. */
  alterar_para: string | null;
  username: string | null;
  acctsessionid: string | null;
  framedipaddress: string | null;
}

const DA_DESCONEXAO = columns<DesconexaoRow>('d', {
  id: true,
  contrato_id: true,
  nasipaddress: true,
  tentativas: true,
  porta_coa: 'n.porta_coa',
  coa: 'n.coa',
  alterar_para: true,
  username: 'r.username',
  acctsessionid: 'r.acctsessionid',
  framedipaddress: 'r.framedipaddress',
});

export interface ClienteRadiusRow {
  nasname: string;
  secret: string;
}

const DO_CLIENTE = columns<ClienteRadiusRow>('nas', { nasname: true, secret: true });

export function createDesconexoesQueries(w: Write) {
  const { db } = w.tenant;
  const vencidas = (agora: Date) =>
    w.from('rede_desconexoes').where('estado', 'pendente').where('proxima_em', '<=', toDatabaseTime(agora));

  return {
    /** Those whose time has come, at most so many of each NAS and in all, without a lock. */
    async devidas(agora: Date, fora: readonly string[], porNas: number, limite: number): Promise<number[]> {
      const numeradas = vencidas(agora)
        .whereNotIn('nasipaddress', fora)
        .select('id', db.raw('ROW_NUMBER() OVER (PARTITION BY nasipaddress ORDER BY proxima_em, id) AS vez'));
      const daVez = db.from(numeradas.as('d')).where('vez', '<=', porNas).orderBy('vez').limit(limite);
      const rows = await rowsOf(daVez, ID);
      return rows.map(({ id }) => id);
    },

    /** Locks them, leaving out those that somebody else holds or has taken meanwhile. */
    async travar(ids: readonly number[], agora: Date): Promise<number[]> {
      const rows = await rowsOf(vencidas(agora).whereIn('id', ids).forUpdate().skipLocked(), ID);
      return rows.map(({ id }) => id);
    },

    async ler(ids: readonly number[]): Promise<DesconexaoRow[]> {
      const desconexoes = w
        .from('rede_desconexoes as d')
        .leftJoin('provedores_nas as n', (on) =>
          on.on('n.provedor_id', 'd.provedor_id').andOn('n.nasipaddress', 'd.nasipaddress'),
        )
        .joinRaw(`LEFT JOIN radacct r ON r.radacctid = d.radacctid AND ${ABERTA}`)
        .whereIn('d.id', ids)
        .orderBy('d.id');
      return rowsOf(desconexoes, DA_DESCONEXAO);
    },

    /** Rows of FreeRADIUS's `nas` that may hold the secrets of some addresses: theirs, and all networks. */
    async clientesRadius(enderecos: readonly string[]): Promise<ClienteRadiusRow[]> {
      return rowsOf(db('nas').whereIn('nasname', enderecos).orWhere('nasname', 'like', '%/%'), DO_CLIENTE);
    },

    /** Counts a try, before it is made, and says when the next one would be. */
    async contarTentativa(ids: readonly number[], tentativa: number, proximaEm: Date): Promise<void> {
      await w.update('rede_desconexoes', (q) => void q.whereIn('id', ids), {
        tentativas: tentativa,
        proxima_em: toDatabaseTime(proximaEm),
      });
    },

    /** From now on they are to be ended: they could not be changed. */
    async encerrarEmVez(ids: readonly number[], agora: Date): Promise<void> {
      await w.update('rede_desconexoes', (q) => void q.whereIn('id', ids).where('estado', 'pendente'), {
        alterar_para: null,
        tentativas: 0,
        proxima_em: toDatabaseTime(agora),
      });
    },

    /** What a later request has overtaken stays so. */
    async concluir(
      ids: readonly number[],
      estado: EstadoDaDesconexao,
      causa: number | null,
      agora: Date,
    ): Promise<void> {
      await w.update('rede_desconexoes', (q) => void q.whereIn('id', ids).where('estado', 'pendente'), {
        estado,
        causa_erro: causa,
        concluida_em: toDatabaseTime(agora),
      });
    },
  };
}
