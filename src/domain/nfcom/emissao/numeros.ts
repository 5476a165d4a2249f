import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { gravarProximo, travarNumeracao } from '../configuracao/configuracao.queries.ts';
import type { Numeracao } from '../configuracao/configuracao.queries.ts';
import type { NotaRow } from './emissao.queries.ts';

const LIVRE = columns<{ numero: number }>('nfcom_numeros_livres', { numero: true });

/**
 * The next numbers of a series, in order: those that were given back first. Its row is locked until the transaction ends, so nobody else has
 * them, and what is not committed is taken by the next.
 */
export async function tomarNumeros(w: Write, numeracao: Numeracao, quantos: number): Promise<number[]> {
  const proximo = await travarNumeracao(w, numeracao);
  const livres = await rowsOf(
    w.from('nfcom_numeros_livres').where(numeracao).orderBy('numero').limit(quantos).forUpdate(),
    LIVRE,
  );
  const devolvidos = livres.map(({ numero }) => numero);
  if (devolvidos.length > 0) {
    await w.delete('nfcom_numeros_livres', (q) => void q.where(numeracao).whereIn('numero', devolvidos));
  }
  const novos = Array.from({ length: quantos - devolvidos.length }, (_, n) => proximo + n);
  if (novos.length > 0) await gravarProximo(w, numeracao, proximo + novos.length);
  return [...devolvidos, ...novos];
}

/** The numbers that would be taken now, without taking them. */
export async function verNumeros(
  w: Pick<Write, 'from'>,
  numeracao: Numeracao,
  proximo: number,
  quantos: number,
): Promise<number[]> {
  const livres = await rowsOf(w.from('nfcom_numeros_livres').where(numeracao).orderBy('numero').limit(quantos), LIVRE);
  const devolvidos = livres.map(({ numero }) => numero);
  return [...devolvidos, ...Array.from({ length: quantos - devolvidos.length }, (_, n) => proximo + n)];
}

/** Gives back the number of a note that was never authorised and never will be. */
export async function soltarNumero(
  w: Write,
  { ambiente, serie, numero }: Pick<NotaRow, 'ambiente' | 'serie' | 'numero'>,
): Promise<void> {
  if (serie === null || numero === null) return;
  await travarNumeracao(w, { ambiente, serie });
  await w.insert('nfcom_numeros_livres', { ambiente, serie, numero });
}
