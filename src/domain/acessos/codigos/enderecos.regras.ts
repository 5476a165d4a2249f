import type { Cadastro } from '../acessos.types.ts';

const unicos = (enderecos: readonly string[]): string[] => [
  ...new Map(enderecos.map((um) => [um.toLowerCase(), um])).values(),
];

/** Addresses of all registrations of a tax id, each once. */
export const enderecosDe = (cadastros: readonly Cadastro[]): string[] =>
  unicos(cadastros.flatMap(({ email }) => (email === null ? [] : [email])));

/**
 * Where a code goes by e-mail: to the one address that all registrations agree on, and to those that it took the place of a moment ago.
 * Nowhere, where they hold several: then only the provider's people know who asks.
 */
export function paraOndeVai(cadastros: readonly Cadastro[], anteriores: readonly string[]): string[] {
  const atuais = enderecosDe(cadastros);
  return atuais.length === 1 ? unicos([...atuais, ...anteriores]) : [];
}
