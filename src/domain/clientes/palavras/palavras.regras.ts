/** Words that are part of nearly every name, and tell nobody apart. */
const PARTICULAS: ReadonlySet<string> = new Set(['a', 'e', 'da', 'das', 'de', 'do', 'dos']);

/** Longest word, in characters, and most words of a client; of a longer one the beginning counts. */
const MAXIMO = 40;

/**
 * The words of a text as they are kept and sought: without accents, in lower case, each once. A name of nothing but particles has those.
 */
export function palavrasDe(...textos: readonly (string | null)[]): string[] {
  const todas = textos
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((palavra) => palavra !== '')
    .map((palavra) => Array.from(palavra).slice(0, MAXIMO).join(''));
  const proprias = todas.filter((palavra) => !PARTICULAS.has(palavra));
  return [...new Set(proprias.length > 0 ? proprias : todas)].slice(0, MAXIMO);
}
