import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { daChave, daPausa, seguradas } from './lembretes.queries.ts';
import type { Janela } from './lembretes.queries.ts';

const DE_QUEM = columns<{ provedor_id: number }>('t', { provedor_id: 't.provedor_id' });

/**
 * Providers of which something may have to be said: those with devices, those with keys that end, and those whose fiscal notes are held back by
 * a pause; by name and on purpose.
 */
export async function provedoresALembrar(db: Db, chaves: Janela, pausadosDesde: Date): Promise<number[]> {
  const comAparelhos = await rowsOf(db('push_dispositivos as t').distinct(), DE_QUEM);
  const comChaves = await rowsOf(db('chaves_api as t').modify(daChave(db, chaves)).distinct(), DE_QUEM);
  const notas = db('nfcom').select(db.raw('1')).whereRaw('nfcom.provedor_id = t.provedor_id');
  const pausadas = db('nfcom_filas as t')
    .modify(daPausa(db, pausadosDesde))
    .whereExists(notas.modify(seguradas, pausadosDesde));
  const comPausa = await rowsOf(pausadas, DE_QUEM);
  return [...new Set([...comAparelhos, ...comChaves, ...comPausa].map(({ provedor_id }) => provedor_id))].toSorted(
    (a, b) => a - b,
  );
}
