import { getPixKeyInfo } from '@brazilian-utils/brazilian-utils/get-pix-key-info';
import { telefoneValido } from '../pessoa/telefone.ts';

/**
 * A PIX key in the form in which the DICT keeps it and the BR Code carries it: CPF or CNPJ without punctuation, e-mail
 * in lower case (up to 77 characters), mobile as '+5511987654321', or random key in lower case (BCB, Manual de Padrões
 * para Iniciação do Pix, form of the DICT's keys in the BR Code). Usual punctuation is accepted. Null for any other
 * text, and for a mobile without its +55, which cannot be told from a CPF.
 */
export function normalizarChavePix(texto: string): string | null {
  const lida = getPixKeyInfo(texto);
  if (lida?.type !== 'phone') return lida?.value ?? null;
  // The library alone does not do: it reads a CPF with mistyped digits as a mobile, and the money would go to a
  // stranger.
  const escrito = texto.trim().replace(/[-(). ]/g, '');
  return escrito === lida.value && telefoneValido(escrito.slice(1)) ? escrito : null;
}
