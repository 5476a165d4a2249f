import { DE_FORA, ehDeFora } from '../eventos/fora.types.ts';

const TODOS = '*';

/** Whether a webhook that named these gets events of a name. */
export const assina = (eventos: readonly string[], tipo: string): boolean =>
  eventos.some((um) => um === TODOS || um === tipo || (um.endsWith('.*') && tipo.startsWith(um.slice(0, -1))));

/** Whether there is something that one of these names: an event, `fatura.*`, or all. */
export const existe = (nome: string): boolean =>
  nome === TODOS || ehDeFora(nome) || (nome.endsWith('.*') && Object.keys(DE_FORA).some((um) => assina([nome], um)));
