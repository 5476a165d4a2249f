/** O e-mail do padrão HTML, com um ponto no domínio. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Pedaços de texto que alguém vê; os seletores de variação e as marcas do fim fazem parte do último caractere. */
const VISIVEL =
  /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]+[\p{Variation_Selector}\u{E0020}-\u{E007F}]*/gu;

/**
 * O texto sem o que ninguém vê no começo e no fim: espaços, quebras, caracteres de controle e de largura zero, e os que preenchem sem
 * desenho, como o do hangul (U+3164) e o braile em branco (U+2800). Vazio se nada dele se vê. O tempo é linear.
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
 * Texto como será guardado: composto, em uma linha, sem as marcas invisíveis de direção que celulares põem em volta de
 * números copiados.
 */
export function limparDigitado(texto: string): string {
  return aparar(
    texto
      .normalize('NFC')
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/g, ' '),
  );
}

/** Diz se um texto já limpo tem caracteres de controle, de uso privado ou que não existem. */
export function temCaractereProibido(limpo: string): boolean {
  return /[\p{Cc}\p{Co}\p{Cn}]/u.test(limpo);
}

/** Diz se um texto já limpo tem a forma de um e-mail; não olha o tamanho. */
export function emailValido(limpo: string): boolean {
  return EMAIL.test(limpo);
}
