/** A server's address as a number, as MySQL's INET_ATON makes it: for what keeps things by their ids. */
export const numeroDoNas = (endereco: string): number =>
  endereco.split('.').reduce((numero, parte) => numero * 256 + Number(parte), 0);

/** Room for how many servers there are, beside the address of one: both together are a number that JavaScript holds whole. */
const QUANTOS = 100_000;

/** Several servers as one number, by the first of them and by how many they are. */
export const numeroDeVarios = (primeiro: number, quantos: number): number =>
  primeiro * QUANTOS + Math.min(quantos, QUANTOS - 1);

export const variosDoNumero = (numero: number): { readonly primeiro: number; readonly quantos: number } => ({
  primeiro: Math.floor(numero / QUANTOS),
  quantos: numero % QUANTOS,
});

export const nasDoNumero = (numero: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(numero / 2 ** bits) % 256).join('.');
