import { ID, columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import type { TipoDeCanal } from '../push.types.ts';

const DE_QUEM = expressions<{ provedor_id: number }>({ provedor_id: 'provedor_id' });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });
/** Of which state, of whom, when. */
const FILA = 'push_envios_fila';
const ESTADOS = ['em_andamento', 'pendente'] as const;

/** Providers of which something is to be sent now, by name and on purpose. The index gives the first of each in one step. */
export async function provedoresComEnvios(db: Db, agora: Date): Promise<number[]> {
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) => `SELECT DISTINCT ${colunas} FROM (
      SELECT estado, provedor_id, MIN(proxima_em) AS desde FROM push_envios FORCE INDEX (${FILA})
        WHERE estado IN ('em_andamento', 'pendente') GROUP BY estado, provedor_id) d WHERE d.desde <= ?`,
    [toDatabaseTime(agora)],
  );
  const ids = rows.map(({ provedor_id }) => provedor_id);
  return onlyHere(db, ids, (id) => id);
}

interface EnvioRow {
  id: number;
  tentativas: number;
  chave: string;
  titulo: string;
  texto: string;
  dados: string | Record<string, string | number>;
  expira_em: string;
  dispositivo_id: number;
  canal: TipoDeCanal;
  token_hash: Buffer;
  token: Buffer;
}

const DO_ENVIO = columns<EnvioRow>('push_envios', {
  id: true,
  tentativas: true,
  chave: true,
  titulo: true,
  texto: true,
  dados: true,
  expira_em: true,
  dispositivo_id: true,
  canal: 'd.tipo',
  token_hash: 'd.token_hash',
  token: 'd.token',
});

/** Something to be sent to a device. */
export type EnvioAFazer = Omit<EnvioRow, 'dados'> & { readonly dados: Readonly<Record<string, string | number>> };

/** What became of one. */
export type Feito = { readonly id: number; readonly dispositivoId: number } & (
  | { readonly estado: 'entregue'; readonly em: Date }
  | { readonly estado: 'esgotada'; readonly erro: string; readonly sumiu: boolean }
  | { readonly estado: 'pendente'; readonly erro: string; readonly proximaEm: Date }
);

export function createEntregasQueries(w: TenantWriter, db: Db) {
  const doEstado = (estado: string) => w.from('push_envios').where({ estado });

  return {
    /** Attempts under way, here and in other processes. */
    async emAndamento(agora: Date): Promise<number> {
      const [row] = await rowsOf(doEstado('em_andamento').where('proxima_em', '>', toDatabaseTime(agora)), TOTAL);
      return row?.total ?? 0;
    },

    /** Ids of those whose time has come and that nobody else takes now; first the ones whose process died while it sent them. */
    async tomar(agora: Date, limite: number): Promise<number[]> {
      const achados: number[] = [];
      for (const estado of ESTADOS) {
        if (achados.length >= limite) break;
        const devidos = doEstado(estado).where('proxima_em', '<=', toDatabaseTime(agora));
        const rows = await rowsOf(devidos.orderBy(['proxima_em', 'id']).limit(limite - achados.length), ID);
        achados.push(...rows.map(({ id }) => id));
      }
      if (achados.length === 0) return [];
      // Locked by the primary key, and judged again: another may have taken some meanwhile.
      const livres = w
        .from('push_envios')
        .whereIn('id', achados)
        .whereIn('estado', [...ESTADOS])
        .where('proxima_em', '<=', toDatabaseTime(agora))
        .orderBy('id')
        .forUpdate()
        .skipLocked();
      return (await rowsOf(livres, ID)).map(({ id }) => id);
    },

    /** Ends those that are of no use any more. @returns how many */
    async expirar(ids: readonly number[], agora: Date): Promise<number> {
      return w.update(
        'push_envios',
        (q) => void q.whereIn('id', [...ids]).where('expira_em', '<=', toDatabaseTime(agora)),
        { estado: 'esgotada', erro: db.raw("COALESCE(erro, 'prazo')") },
      );
    },

    /** Counts an attempt of each before it is made; `ate` is when whoever makes it must have said what came of it. */
    async contar(ids: readonly number[], agora: Date, ate: Date): Promise<EnvioAFazer[]> {
      await w.update('push_envios', (q) => void q.whereIn('id', [...ids]).where('estado', '<>', 'esgotada'), {
        estado: 'em_andamento',
        tentativas: db.raw('tentativas + 1'),
        proxima_em: toDatabaseTime(ate),
      });
      const contados = w
        .from('push_envios')
        .join('push_dispositivos as d', sameTenant('push_envios', 'dispositivo_id', 'd', 'id'))
        .whereIn('push_envios.id', [...ids])
        .where('push_envios.estado', 'em_andamento')
        .where('push_envios.expira_em', '>', toDatabaseTime(agora))
        .orderBy('push_envios.id');
      return (await rowsOf(contados, DO_ENVIO)).map((row) => ({ ...row, dados: jsonColumn(row.dados) }));
    },

    async anotar(feitos: readonly Feito[]): Promise<void> {
      for (const feito of feitos) {
        await w.update('push_envios', (q) => void q.where({ id: feito.id, estado: 'em_andamento' }), {
          estado: feito.estado,
          ...(feito.estado === 'entregue'
            ? { entregue_em: toDatabaseTime(feito.em), erro: null }
            : { erro: feito.erro }),
          ...(feito.estado === 'pendente' ? { proxima_em: toDatabaseTime(feito.proximaEm) } : {}),
        });
      }
      const sumiram = feitos.filter((feito) => feito.estado === 'esgotada' && feito.sumiu);
      const ids = [...new Set(sumiram.map(({ dispositivoId }) => dispositivoId))];
      if (ids.length > 0) await w.delete('push_dispositivos', (q) => void q.whereIn('id', ids));
    },
  };
}
