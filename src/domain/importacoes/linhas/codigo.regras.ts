import { codigoExterno } from '../../campos/leitores.ts';
import type { Formato } from '../importacoes.types.ts';
import type { Registro } from './registro.ts';

/** What a code of another system begins with; ours are as they are written. */
const prefixoDe = (formato: Formato): string => (formato === 'malha' ? '' : `${formato}:`);

/**
 * The name under which what a line makes is known again: the other system's, or, where the file has none, the line's own digest (`de`
 * null: none at all). Null where it cannot be one.
 */
export function codigoDe(
  registro: Registro,
  formato: Formato,
  campo: string,
  de: 'resumo' | null = 'resumo',
): string | null {
  const escrito = registro.texto(campo);
  if (escrito === undefined) return de === null ? null : `linha:${registro.resumo.toString('hex')}`;
  const lido = codigoExterno(`${prefixoDe(formato)}${escrito}`);
  if ('valor' in lido) return lido.valor;
  for (const { mensagem } of lido.faltas) registro.errar(campo, mensagem);
  return null;
}
