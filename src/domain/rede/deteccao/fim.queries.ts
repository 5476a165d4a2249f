import { expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import type { AvisoRow } from '../avisos/avisos.types.ts';

const ULTIMA = expressions<{ ultima: string | null }>({ ultima: 'MAX(x.queda_em)' });

/** Writes down, as staff close a detected notice, up to which drop of its server it was about: none of those opens another. */
export async function guardarQuedas(
  w: Write,
  { id, detectado_nas, detectado_de }: Pick<AvisoRow, 'id' | 'detectado_nas' | 'detectado_de'>,
): Promise<void> {
  if (detectado_nas === null || detectado_de === null) return;
  const quedas = w.tenant
    .from('conexoes as x')
    .where('x.queda_em', '>=', detectado_de)
    .where('x.queda_nas', detectado_nas);
  const [achada] = await rowsOf(quedas, ULTIMA);
  const ultima = achada?.ultima ?? null;
  if (ultima !== null) await w.update('avisos_de_rede', (q) => void q.where({ id }), { detectado_ate: ultima });
}
