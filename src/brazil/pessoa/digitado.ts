/** An e-mail address by the HTML standard, with a dot in its domain. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Pieces of text that somebody sees; variation selectors and the marks at the end belong to the last character. */
const VISIVEL =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]+[\p{Variation_Selector}\u{E0020}-\u{E007F}]*/gu;

/** Texts in which there is nothing to clean, as most are: those of Latin-1 that is seen, with single spaces inside. */
const LIMPO = /^(?:[!-~\u00a1-\u00ac\u00ae-\u00ff]+(?: [!-~\u00a1-\u00ac\u00ae-\u00ff]+)*)?$/;

/**
 * The text without what nobody sees at its beginning and end: spaces, line breaks, control and zero-width characters,
 * and those that fill without ink, such as Hangul's (U+3164) and the blank Braille pattern (U+2800). Empty when nothing
 * of it is seen. Takes linear time.
 */
export function aparar(texto: string): string {
  let inicio: number | undefined;
  let fim = 0;
  for (const { index, 0: pedaco } of texto.matchAll(VISIVEL)) {
    inicio ??= index;
    fim = index + pedaco.length;
  }
  return texto.slice(inicio ?? fim, fim);
}

/**
 * A text as it will be stored: composed, in one line, without the invisible direction marks that phones put around
 * copied numbers.
 */
export function limparDigitado(texto: string): string {
  if (LIMPO.test(texto)) return texto;
  return aparar(
    texto
      .normalize('NFC')
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/g, ' '),
  );
}

/** Whether a cleaned text has characters of control or private use, or such that do not exist. */
export function temCaractereProibido(limpo: string): boolean {
  return /[\p{Cc}\p{Co}\p{Cn}]/u.test(limpo);
}

/** Whether a cleaned text has the form of an e-mail address; its length is not looked at. */
export function emailValido(limpo: string): boolean {
  return EMAIL.test(limpo);
}
