import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb, TenantWriter } from '../../../platform/mysql/tenant.ts';

/** Something that somebody is told of once: `quando` is the moment, or the day, that tells it from others of the same thing. */
export interface Dito {
  readonly tipo: string;
  readonly recurso_id: number;
  /** As MySQL writes an instant. */
  readonly quando: string;
}

interface DitoRow extends Dito {
  criado_em: string;
}

const DO_DITO = columns<DitoRow>('push_lembretes', { tipo: true, recurso_id: true, quando: true, criado_em: true });

/** What was said of some kinds since an instant, which is at most 30 days ago, and when. */
export async function ditosDesde(
  de: Pick<TenantDb, 'from'>,
  tipos: readonly string[],
  desde: Date,
): Promise<DitoRow[]> {
  const deles = de.from('push_lembretes').whereIn('tipo', [...tipos]);
  return rowsOf(deles.where('criado_em', '>', toDatabaseTime(desde)), DO_DITO);
}

/**
 * Says that somebody is told of several things, with `quando` as `toDatabaseTime` writes it. @returns those that were not said before; of two who
 * say one at the same time, one has it.
 */
export async function dizerUmaVezCada(
  w: Pick<TenantWriter, 'from' | 'insert'>,
  coisas: readonly Dito[],
  agora: Date,
): Promise<readonly Dito[]> {
  if (coisas.length === 0) return [];
  const unicas = coisas.map(({ tipo, recurso_id, quando }) => [tipo, recurso_id, quando]);
  const antes = await rowsOf(w.from('push_lembretes').whereIn(['tipo', 'recurso_id', 'quando'], unicas), DO_DITO);
  const novas = coisas.filter((uma) => !antes.some((dita) => mesmo(dita, uma)));
  if (novas.length === 0) return [];
  const linhas = novas.map((uma) => ({ ...uma, criado_em: toDatabaseTime(agora) }));
  await w.insert('push_lembretes', linhas, { soughtBefore: true });
  return novas;
}

const mesmo = (dita: Dito, uma: Dito): boolean =>
  dita.tipo === uma.tipo && dita.recurso_id === uma.recurso_id && dita.quando === uma.quando;

/** Says that somebody is told of something; false where it was said before. Of two at the same time, one says it. */
export async function dizerUmaVez(w: Pick<TenantWriter, 'from' | 'insert'>, dito: Dito, agora: Date): Promise<boolean> {
  const { tipo, recurso_id, quando } = dito;
  const antes = await rowsOf(w.from('push_lembretes').where({ tipo, recurso_id, quando }).limit(1), ID);
  if (antes.length > 0) return false;
  const linha = { tipo, recurso_id, quando, criado_em: toDatabaseTime(agora) };
  await w.insert('push_lembretes', linha, { soughtBefore: true });
  return true;
}

/** What is no longer so: should it come to be so again, somebody is told again. */
export async function esquecerDito(w: Pick<TenantWriter, 'delete'>, dito: Dito): Promise<void> {
  const { tipo, recurso_id, quando } = dito;
  await w.delete('push_lembretes', (q) => void q.where({ tipo, recurso_id, quando }));
}
