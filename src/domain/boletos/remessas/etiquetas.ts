import type { Write } from '../../escrita.ts';
import { FATURAS_TAG, TAGS_DE_TUDO, tagsDaFatura } from '../../tags.ts';
import { MUITAS } from '../boletos.types.ts';

/** Says of invoices that their boleto is otherwise. Of many, all that is kept of the provider is forgotten: that is fewer names. */
export function tocarFaturas(
  w: Pick<Write, 'touch'>,
  faturas: readonly { readonly id: number; readonly cliente_id: number }[],
): void {
  if (faturas.length === 0) return;
  if (faturas.length > MUITAS) w.touch(...TAGS_DE_TUDO);
  else for (const { id, cliente_id: cliente } of faturas) w.touch(...tagsDaFatura(id, cliente));
  w.touch(FATURAS_TAG);
}
