import type { Convenio } from '../../../brazil/cnab/convenio.types.ts';
import { ajustesDe } from '../../../brazil/cnab/ajustes.ts';
import { sequenciaMaxima } from '../../../brazil/cnab/nosso-numero.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { Recusa } from '../../erros.ts';
import type { Write } from '../../escrita.ts';

const PROXIMA = columns<SequenciaRow>('convenios_sequencias', { id: true, proxima: true });

/** Which series the numbers of a year belong to: at Sicredi they begin anew each year, and each byte has a series of its own. */
function serieDe(convenio: Convenio, ano: number): string {
  if (convenio.banco !== '748') return '';
  const { byte } = ajustesDe(convenio);
  return `${String(ano % 100).padStart(2, '0')}/${byte}`;
}

interface SequenciaRow {
  id: number;
  proxima: number;
}

async function travar(w: Write, convenioId: number, serie: string): Promise<SequenciaRow | undefined> {
  const [row] = await rowsOf(
    w.from('convenios_sequencias').where({ convenio_id: convenioId, serie }).forUpdate(),
    PROXIMA,
  );
  return row;
}

async function gravar(
  w: Write,
  { id, serie, atual, proxima }: { id: number; serie: string; atual: SequenciaRow | undefined; proxima: number },
): Promise<void> {
  if (atual === undefined) await w.insert('convenios_sequencias', { convenio_id: id, serie, proxima });
  else await w.update('convenios_sequencias', (q) => void q.where({ id: atual.id }), { proxima });
}

/**
 * The next numbers of an agreement, in order. Its agreement's row is locked by the caller, so nobody else has them, and what is not
 * committed is taken by the next: none is left out, and none is ever given twice.
 *
 * @returns the first of them
 * @throws Recusa `numeros_esgotados`
 */
export async function tomarSequencias(
  w: Write,
  { id, convenio, ano, quantas }: { id: number; convenio: Convenio; ano: number; quantas: number },
): Promise<number> {
  const serie = serieDe(convenio, ano);
  const atual = await travar(w, id, serie);
  const primeira = atual?.proxima ?? 1;
  const proxima = primeira + quantas;
  if (proxima - 1 > sequenciaMaxima(convenio)) throw new Recusa('numeros_esgotados');
  await gravar(w, { id, serie, atual, proxima });
  return primeira;
}

/**
 * Makes numbers go on from another one, such as that of the program that issued before.
 *
 * @throws Recusa `numero_ja_usado` where it would give one twice
 */
export async function avancarSequencia(
  w: Write,
  { id, convenio, ano, proxima }: { id: number; convenio: Convenio; ano: number; proxima: number },
): Promise<void> {
  const serie = serieDe(convenio, ano);
  const atual = await travar(w, id, serie);
  if (proxima < (atual?.proxima ?? 1)) throw new Recusa('numero_ja_usado', { campo: 'proximo_numero' });
  if (proxima > sequenciaMaxima(convenio)) throw new Recusa('numeros_esgotados', { campo: 'proximo_numero' });
  await gravar(w, { id, serie, atual, proxima });
}
