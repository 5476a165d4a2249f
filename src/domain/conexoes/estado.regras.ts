import type { EstadoConexao } from './conexoes.types.ts';

/** RFC 2869, section 5.16: an Acct-Interim-Interval "MUST NOT be smaller than 60". */
const MENOR_INTERVALO_SEGUNDOS = 60;

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
  const intervalo = intervaloSegundos ?? intervaloPadraoSegundos;
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
 * after the Start leaves a few seconds there. What RFC 2869 forbids is not an interval.
 */
export function intervaloDaSessao(acctinterval: number | null, padraoSegundos: number): number {
  return acctinterval === null || acctinterval < MENOR_INTERVALO_SEGUNDOS ? padraoSegundos : acctinterval;
}
