import { hojeEm } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import type { RadacctRow, SessaoInterpretada } from './conexoes.types.ts';
import { intervaloDaSessao, viva } from './estado.regras.ts';

/** Terminate causes (RFC 2866, section 5.10) that a subscriber feels as a drop. All others are not. */
const CAUSAS_DE_QUEDA: ReadonlySet<string | null> = new Set([
  'lost_carrier',
  'lost_service',
  'port_error',
  'nas_error',
  'nas_reboot',
  'service_unavailable',
]);

/** Drops this close to one another count once. */
export const QUEDAS_PROXIMAS_MS = 60_000;

/** Width of `acctterminatecause`. */
const MAIOR_CAUSA = 32;

/**
 * Judges a session of `radacct` at an instant.
 *
 * A repeated Start rewrites `acctstarttime` and leaves the stop behind, so a start after the stop is an open session.
 *
 * @param intervaloPadraoSegundos interim interval of sessions that have not told theirs.
 */
export function interpretarSessao(row: RadacctRow, agora: Date, intervaloPadraoSegundos: number): SessaoInterpretada {
  const inicio = instante(row.acctstarttime);
  const atualizada = instante(row.acctupdatetime);
  const encerrada = instante(row.acctstoptime);
  const ouvidaEm = maisRecente(atualizada, inicio);
  const intervaloSegundos = intervaloDaSessao(row.acctinterval, intervaloPadraoSegundos);
  const semPeriodo = row.acctsessiontime ?? 0;

  const fechada = encerrada !== null && (inicio === null || inicio <= encerrada);
  if (fechada) {
    const causa = nomeDaCausa(row.acctterminatecause);
    return {
      inicio,
      fim: encerrada,
      duracaoSegundos: inicio === null ? semPeriodo : segundosEntre(inicio, encerrada),
      causa,
      aberta: false,
      parada: false,
      ouvidaEm,
      intervaloSegundos,
      queda: CAUSAS_DE_QUEDA.has(causa),
    };
  }
  const aberta = ouvidaEm !== null && viva(ouvidaEm, intervaloSegundos, agora);
  const ate = aberta ? agora : ouvidaEm;
  return {
    inicio,
    fim: aberta ? null : ouvidaEm,
    duracaoSegundos: inicio === null || ate === null ? semPeriodo : segundosEntre(inicio, ate),
    causa: aberta ? null : 'sem_resposta',
    aberta,
    parada: !aberta,
    ouvidaEm,
    intervaloSegundos,
    // A session without any time has no moment at which it could have dropped.
    queda: !aberta && ouvidaEm !== null,
  };
}

/**
 * Drops of each local day.
 *
 * A drop counts when it comes more than 60 s after the last one that counted, on the day of its own moment: a burst
 * counts once, and a line that drops every 40 s for an hour still counts many times.
 *
 * @param fuso IANA zone of the provider.
 */
export function contarQuedas(sessoes: readonly SessaoInterpretada[], fuso: string): Map<Data, number> {
  const quedas = new Map<Data, number>();
  let ultima = -Infinity;
  for (const momento of momentosDeQueda(sessoes)) {
    if (momento - ultima <= QUEDAS_PROXIMAS_MS) continue;
    ultima = momento;
    const dia = hojeEm(fuso, new Date(momento));
    quedas.set(dia, (quedas.get(dia) ?? 0) + 1);
  }
  return quedas;
}

function momentosDeQueda(sessoes: readonly SessaoInterpretada[]): number[] {
  return sessoes.flatMap(({ queda, fim }) => (queda && fim !== null ? [fim.getTime()] : [])).toSorted((a, b) => a - b);
}

/** `Lost-Carrier` → `lost_carrier`; null when nothing is left. */
function nomeDaCausa(texto: string): string | null {
  const nome = texto
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAIOR_CAUSA)
    .replaceAll(/^_|_$/g, '');
  return nome === '' ? null : nome;
}

/** Old FreeRADIUS schemas left `0000-00-00 00:00:00` where there was no time. */
function instante(texto: string | null): Date | null {
  return texto === null || texto.startsWith('0000') ? null : fromDatabaseTime(texto);
}

function maisRecente(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}

function segundosEntre(de: Date, ate: Date): number {
  return Math.max(0, Math.floor((ate.getTime() - de.getTime()) / 1000));
}
