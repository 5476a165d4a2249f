import type { EstadoConexao } from './conexoes.types.ts';

/** RFC 2869, section 5.16: an Acct-Interim-Interval "MUST NOT be smaller than 60". */
export const MENOR_INTERVALO_SEGUNDOS = 60;
/** The longest that a NAS may tell, where the default is no longer. */
const MAIOR_INTERVALO_SEGUNDOS = 1800;

export interface EntradaDoEstado {
  readonly login: string | null;
  /** Whether the contract has a row in `conexoes`: it had a session once. */
  readonly temRegistro: boolean;
  /** When its open session was last heard of; null when none is open. */
  readonly ouvidaEm: Date | null;
  /** Interim interval of that session; null when not known. */
  readonly intervaloSegundos: number | null;
  readonly intervaloPadraoSegundos: number;
  readonly agora: Date;
}

/** The state of a contract's connection at an instant, by its record in `conexoes`. */
export function estadoDaConexao(entrada: EntradaDoEstado): EstadoConexao {
  const { login, temRegistro, ouvidaEm, intervaloSegundos, intervaloPadraoSegundos, agora } = entrada;
  if (login === null || login === '' || !temRegistro) return 'desconhecido';
  if (ouvidaEm === null) return 'offline';
  const intervalo = intervaloDoRegistro(intervaloSegundos, intervaloPadraoSegundos);
  return viva(ouvidaEm.getTime(), intervalo, agora.getTime()) ? 'online' : 'offline';
}

/** Whether a session last heard of at `ouvidaEm` still counts as open: two whole intervals have not gone by. Times in ms. */
export function viva(ouvidaEm: number, intervaloSegundos: number, agora: number): boolean {
  return agora <= ouvidaEm + 2000 * intervaloSegundos;
}

/** The instant from which a session last heard of at `ouvidaEm` no longer counts as open. */
export function fimDaEspera(ouvidaEm: Date, intervaloSegundos: number): Date {
  return new Date(ouvidaEm.getTime() + 2000 * intervaloSegundos + 1);
}

/**
 * The interim interval of a session, in seconds.
 *
 * FreeRADIUS writes the time between the last two packets, not the one agreed upon: a NAS that sends an update right
 * after the Start leaves a few seconds there, and the first update after an outage leaves the outage's length. What RFC 2869
 * forbids is not an interval, and one that is longer than the default counts from the second in a row on, up to a bound.
 *
 * @param anterior `acctinterval` as it was before the last update.
 */
export function intervaloDaSessao(
  acctinterval: number | null,
  anterior: number | null,
  padraoSegundos: number,
): number {
  if (acctinterval === null || acctinterval < MENOR_INTERVALO_SEGUNDOS) return padraoSegundos;
  return Math.min(acctinterval, Math.max(padraoSegundos, Math.min(anterior ?? 0, MAIOR_INTERVALO_SEGUNDOS)));
}

/** The longest interim interval that counts, in seconds. */
export function maiorIntervalo(padraoSegundos: number): number {
  return Math.max(padraoSegundos, MAIOR_INTERVALO_SEGUNDOS);
}

/** The interval of a record in `conexoes`, in seconds; one from before there was a bound may be longer. */
export function intervaloDoRegistro(intervaloSegundos: number | null, padraoSegundos: number): number {
  return Math.min(intervaloSegundos ?? padraoSegundos, maiorIntervalo(padraoSegundos));
}
