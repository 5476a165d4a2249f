/** A server's address as a number, as MySQL's INET_ATON makes it: for what keeps things by their ids. */
export const numeroDoNas = (endereco: string): number =>
  endereco.split('.').reduce((numero, parte) => numero * 256 + Number(parte), 0);

export const nasDoNumero = (numero: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(numero / 2 ** bits) % 256).join('.');
