/** RFC 1123 host name, in lower case. */
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Whether a text is a host name with a dot, in lower case; an address is none. */
export function hostValido(texto: string): boolean {
  return HOST.test(texto) && !/^[\d.]+$/.test(texto);
}
