import { ID, columns, expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { onlyHere } from '../../platform/mysql/moving.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import type { CorreioFeito, OrigemDeCorreio } from './correio.types.ts';

const DE_QUEM = expressions<{ provedor_id: number }>({ provedor_id: 'provedor_id' });
const TOTAL = expressions<{ total: number }>({ total: 'COUNT(*)' });
/** Those left by a process that died while it sent them, before those that wait. */
const A_FAZER = ['em_andamento', 'pendente'] as const;

/** Providers of which an e-mail is to be sent now: by name and on purpose, and by one step of the index for each. */
export async function provedoresComCorreio(db: Db, agora: Date): Promise<number[]> {
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) => `SELECT DISTINCT ${colunas} FROM (
      SELECT provedor_id, MIN(proxima_em) AS desde FROM correio_pedidos FORCE INDEX (correio_pedidos_fila)
        WHERE estado IN ('em_andamento', 'pendente') GROUP BY estado, provedor_id) d WHERE d.desde <= ?`,
    [toDatabaseTime(agora)],
  );
  const ids = rows.map(({ provedor_id }) => provedor_id);
  return onlyHere(db, ids, (id) => id);
}

interface CartaRow {
  id: number;
  origem: OrigemDeCorreio;
  para: string | null;
  assunto: string | null;
  texto: string | null;
  tentativas: number;
  expira_em: string;
}

const DA_CARTA = columns<CartaRow>('correio_pedidos', {
  id: true,
  origem: true,
  para: true,
  assunto: true,
  texto: true,
  tentativas: true,
  expira_em: true,
});

/** An e-mail that is sent now. */
export type Carta = Readonly<CartaRow>;

/** One that was not taken and is tried again. */
interface Adiada {
  readonly id: number;
  readonly estado: 'pendente';
  readonly proximaEm: Date;
  readonly erro: string;
}
export type Desfecho = (CorreioFeito & { readonly erro: string | null }) | Adiada;

export function createFilaDeCorreioQueries(w: TenantWriter, db: Db) {
  const daFila = (estado: string) => w.from('correio_pedidos').where({ estado });

  return {
    /** How many are being sent, here and in other processes. */
    async emAndamento(agora: Date): Promise<number> {
      const [row] = await rowsOf(daFila('em_andamento').where('proxima_em', '>', toDatabaseTime(agora)), TOTAL);
      return row?.total ?? 0;
    },

    /** What waits for its turn and is not for the night gets its turn in the morning. */
    async deixarParaManha(origens: readonly OrigemDeCorreio[], agora: Date, manha: Date): Promise<void> {
      await w.update(
        'correio_pedidos',
        (q) => {
          void q.where('estado', 'pendente').where('proxima_em', '<=', toDatabaseTime(agora));
          void q.whereIn('origem', [...origens]);
        },
        { proxima_em: toDatabaseTime(manha) },
      );
    },

    /** Those whose turn it is, locked, and that nobody else takes now. */
    async tomar(agora: Date, limite: number): Promise<Carta[]> {
      const ids: number[] = [];
      const ate = toDatabaseTime(agora);
      for (const estado of A_FAZER) {
        const devidas = daFila(estado).where('proxima_em', '<=', ate).orderBy(['proxima_em', 'id']);
        if (ids.length < limite)
          ids.push(...(await rowsOf(devidas.limit(limite - ids.length), ID)).map(({ id }) => id));
      }
      if (ids.length === 0) return [];
      // Locked by the primary key, and judged again: another may have taken some meanwhile.
      const livres = w
        .from('correio_pedidos')
        .whereIn('id', ids)
        .whereIn('estado', [...A_FAZER]);
      return rowsOf(livres.where('proxima_em', '<=', ate).orderBy('id').forUpdate().skipLocked(), DA_CARTA);
    },

    /** Counts an attempt of each before it is made; `ate`: by when whoever makes it must have said what came of it. */
    async contar(ids: readonly number[], ate: Date): Promise<void> {
      await w.update('correio_pedidos', (q) => void q.whereIn('id', [...ids]), {
        estado: 'em_andamento',
        tentativas: db.raw('tentativas + 1'),
        proxima_em: toDatabaseTime(ate),
      });
    },

    /** Writes what became of some. */
    async anotar(desfechos: readonly Desfecho[], agora: Date): Promise<void> {
      for (const desfecho of desfechos) {
        const { id, estado, erro } = desfecho;
        await w.update('correio_pedidos', (q) => void q.where({ id }), {
          estado,
          erro,
          ...('proximaEm' in desfecho ? { proxima_em: toDatabaseTime(desfecho.proximaEm) } : {}),
          ...(estado === 'entregue' ? { entregue_em: toDatabaseTime(agora) } : {}),
        });
      }
    },

    /** Ends some without an attempt. */
    async encerrar(ids: readonly number[], estado: 'esgotada' | 'dispensada', erro: string | null): Promise<void> {
      if (ids.length > 0) await w.update('correio_pedidos', (q) => void q.whereIn('id', [...ids]), { estado, erro });
    },
  };
}
