import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';

const DO_CONVENIO = columns<{ cobrador_id: number }>('convenios_bancarios', { cobrador_id: true });

/** The accounts whose boletos are ours to register: they have an agreement with a bank that issues. */
export async function contasQueRegistram(w: Pick<Write, 'from'>): Promise<ReadonlySet<number>> {
  const convenios = w.from('convenios_bancarios').whereNotNull('emite_por');
  return new Set((await rowsOf(convenios, DO_CONVENIO)).map(({ cobrador_id }) => cobrador_id));
}
