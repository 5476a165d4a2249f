export const NFCOM = 'http://www.portalfiscal.inf.br/nfcom';
export const DECLARACAO = '<?xml version="1.0" encoding="UTF-8"?>';

const ESPECIAIS = /[&<>]/;

/**
 * A text of an element. Quotes stay as they are: in its canonical form a text has them so, and what is written here is
 * digested without a library that makes canonical XML.
 */
export const escapar = (texto: string): string =>
  ESPECIAIS.test(texto) ? texto.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : texto;

/** An element whose content is XML already. */
export const tag = (nome: string, conteudo: string | number): string => `<${nome}>${conteudo}</${nome}>`;

/** An element with a text; nothing where there is none. */
export const tagOpcional = (nome: string, texto: string | null): string =>
  texto === null || texto === '' ? '' : tag(nome, escapar(texto));
