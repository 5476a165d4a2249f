/** O e-mail do padrão HTML, com um ponto no domínio. */
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/**
 * Texto como será guardado: composto, em uma linha, sem as marcas invisíveis de direção que celulares põem em volta de
 * números copiados.
 */
export function limparDigitado(texto: string): string {
  return texto
    .normalize('NFC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Diz se um texto já limpo tem caracteres de controle, de uso privado ou que não existem. */
export function temCaractereProibido(limpo: string): boolean {
  return /[\p{Cc}\p{Co}\p{Cn}]/u.test(limpo);
}

/** Diz se um texto já limpo tem a forma de um e-mail; não olha o tamanho. */
export function emailValido(limpo: string): boolean {
  return EMAIL.test(limpo);
}
