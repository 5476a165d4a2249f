import type { Data } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { RadacctRow, SessaoInterpretada } from './conexoes.types.ts';
import { intervaloDaSessao, viva } from './estado.regras.ts';

/** Terminate causes (RFC 2866, section 5.10) that a subscriber feels as a drop, by FreeRADIUS's names. All others are not. */
const CAUSAS_DE_QUEDA = [
  'Lost-Carrier',
  'Lost-Service',
  'Port-Error',
  'NAS-Error',
  'NAS-Reboot',
  'Service-Unavailable',
] as const;

/** The RFC's other causes, and none. A session that ended by another text may be a drop still: its name decides. */
export const CAUSAS_SEM_QUEDA = [
  '',
  'User-Request',
  'Idle-Timeout',
  'Session-Timeout',
  'Admin-Reset',
  'Admin-Reboot',
  'NAS-Request',
  'Port-Unneeded',
  'Port-Preempted',
  'Port-Suspended',
  'Callback',
  'User-Error',
  'Host-Request',
] as const;

/** Why a session is over that only fell silent. */
export const SEM_RESPOSTA = 'sem_resposta';

/** Drops this close to one another count once. */
export const QUEDAS_PROXIMAS_MS = 60_000;

/** Width of `acctterminatecause`. */
const MAIOR_CAUSA = 32;

const NOMES: ReadonlyMap<string, string | null> = new Map(
  [...CAUSAS_DE_QUEDA, ...CAUSAS_SEM_QUEDA].map((causa) => [causa, reduzir(causa)]),
);
const NOMES_DE_QUEDA: ReadonlySet<string | null> = new Set(CAUSAS_DE_QUEDA.map(nomeDaCausa));

/** What the rules need of a session; times in ms since 1970, null where there is none. */
export interface TemposDaSessao {
  readonly inicio: number | null;
  readonly atualizada: number | null;
  readonly encerrada: number | null;
  /** `acctinterval`, in seconds. */
  readonly intervalo: number | null;
  /** `acctterminatecause`. */
  readonly causa: string;
  /** When it was last heard of by our clock; null where only the NAS's moments are known. */
  readonly ouvida: number | null;
  /** `acctinterval` before its last update, in seconds; known with `ouvida`. */
  readonly intervaloAnterior: number | null;
}

/** A session of a contract, as it is recomputed. */
export interface SessaoDoContrato extends TemposDaSessao {
  /** When a Start took the session's row of `radacct` for another session; null while the row is its own. */
  readonly reaberta: number | null;
  /** Address of its server. */
  readonly nas: string;
  /** Port of the server, where it is told apart. */
  readonly porta: string | null;
}

/** What a session is at an instant; see `SessaoInterpretada`. Times in ms since 1970. */
interface Julgamento {
  readonly fim: number | null;
  readonly causa: string | null;
  readonly aberta: boolean;
  readonly parada: boolean;
  readonly ouvidaEm: number | null;
  readonly intervaloSegundos: number;
  readonly queda: boolean;
}

/**
 * Judges a session at an instant.
 *
 * A repeated Start rewrites `acctstarttime` and leaves the stop behind, so a start after the stop is an open session.
 * Whether an open session is still there is judged by our clock alone; its moments are the NAS's, as its start is.
 *
 * @param agora ms since 1970.
 * @param intervaloPadraoSegundos interim interval of sessions that have not told theirs.
 */
export function julgar(tempos: TemposDaSessao, agora: number, intervaloPadraoSegundos: number): Julgamento {
  const { inicio, atualizada, encerrada, intervalo } = tempos;
  const dita = inicio === null || atualizada === null ? (inicio ?? atualizada) : Math.max(inicio, atualizada);
  if (encerrada === null || (inicio !== null && inicio > encerrada)) {
    return julgarSemFim(tempos, dita, agora, intervaloPadraoSegundos);
  }
  const causa = nomeDaCausa(tempos.causa);
  return {
    fim: encerrada,
    causa,
    aberta: false,
    parada: false,
    ouvidaEm: dita,
    intervaloSegundos: intervaloDaSessao(intervalo, intervalo, intervaloPadraoSegundos),
    queda: NOMES_DE_QUEDA.has(causa),
  };
}

/** Of a session that did not end. @param dita its last sign, as the NAS dated it. */
function julgarSemFim(
  { intervalo, ouvida, intervaloAnterior }: TemposDaSessao,
  dita: number | null,
  agora: number,
  intervaloPadraoSegundos: number,
): Julgamento {
  const ouvidaEm = ouvida ?? dita;
  const anterior = ouvida === null ? intervalo : intervaloAnterior;
  const intervaloSegundos = intervaloDaSessao(intervalo, anterior, intervaloPadraoSegundos);
  const aberta = ouvidaEm !== null && viva(ouvidaEm, intervaloSegundos, agora);
  // A NAS whose clock is ahead must not have a session end in the future.
  const ultimoSinal = dita === null || ouvidaEm === null ? dita : Math.min(dita, ouvidaEm);
  return {
    fim: aberta ? null : ultimoSinal,
    causa: aberta ? null : SEM_RESPOSTA,
    aberta,
    parada: !aberta,
    ouvidaEm,
    intervaloSegundos,
    // A session without any time has no moment at which it could have dropped.
    queda: !aberta && ultimoSinal !== null,
  };
}

/** {@link julgar} of a row of `radacct`, for who shows the session. */
export function interpretarSessao(row: RadacctRow, agora: Date, intervaloPadraoSegundos: number): SessaoInterpretada {
  const inicio = instante(row.acctstarttime);
  const tempos: TemposDaSessao = {
    inicio,
    atualizada: instante(row.acctupdatetime),
    encerrada: instante(row.acctstoptime),
    intervalo: row.acctinterval,
    causa: row.acctterminatecause,
    ouvida: instante(row.ouvida_em),
    intervaloAnterior: row.intervalo_anterior,
  };
  const { fim, ouvidaEm, ...julgada } = julgar(tempos, agora.getTime(), intervaloPadraoSegundos);
  const ate = julgada.aberta ? agora.getTime() : fim;
  const duracao = inicio === null || ate === null ? null : Math.max(0, Math.floor((ate - inicio) / 1000));
  return {
    ...julgada,
    inicio: data(inicio),
    fim: data(fim),
    duracaoSegundos: duracao ?? row.acctsessiontime ?? 0,
    ouvidaEm: data(ouvidaEm),
  };
}

/**
 * Whether a session is of who has its login since a moment: it was up then, or came after. What was over by then is of who had the login
 * before, be it another client.
 *
 * @param fim null while it is open; ms since 1970, as the other.
 * @param desde null where nobody had the login before.
 */
export const desteLogin = (fim: number | null, desde: number | null): boolean =>
  desde === null || fim === null || fim >= desde;

/** Sessions of a login, as who has it since a moment is told of them: his own, and of one that was up then, what came after. */
export function sessoesDesde<Uma extends SessaoInterpretada>(
  sessoes: readonly Uma[],
  desde: Date | null,
  agora: Date,
): Uma[] {
  if (desde === null) return [...sessoes];
  return sessoes
    .filter(({ fim }) => desteLogin(fim?.getTime() ?? null, desde.getTime()))
    .map((sessao) => {
      if (sessao.inicio === null || sessao.inicio >= desde) return sessao;
      const duracaoMs = (sessao.fim ?? agora).getTime() - desde.getTime();
      return { ...sessao, inicio: desde, duracaoSegundos: Math.max(0, Math.floor(duracaoMs / 1000)) };
    });
}

/**
 * Drops of each local day.
 *
 * A drop counts when it comes more than 60 s after the last one that counted, on the day of its own moment: a burst
 * counts once, and a line that drops every 40 s for an hour still counts many times.
 *
 * @param momentos of the drops, in ms since 1970, in any order.
 * @param diaDe the provider's local day of an instant; drops of days that it does not know (null) are left out.
 */
export function contarQuedas(momentos: readonly number[], diaDe: (instante: number) => Data | null): Map<Data, number> {
  const quedas = new Map<Data, number>();
  for (const momento of quedasQueContam(momentos)) {
    const dia = diaDe(momento);
    if (dia !== null) quedas.set(dia, (quedas.get(dia) ?? 0) + 1);
  }
  return quedas;
}

/** Of the drops of a contract those that count, the oldest first: each comes more than 60 s after the one before it that counts. */
export function quedasQueContam(momentos: readonly number[]): number[] {
  const contam: number[] = [];
  let ultima = -Infinity;
  for (const momento of momentos.toSorted((a, b) => a - b)) {
    if (momento - ultima <= QUEDAS_PROXIMAS_MS) continue;
    ultima = momento;
    contam.push(momento);
  }
  return contam;
}

/** `Lost-Carrier` → `lost_carrier`; null when nothing is left. */
function nomeDaCausa(texto: string): string | null {
  const nome = NOMES.get(texto);
  return nome === undefined ? reduzir(texto) : nome;
}

function reduzir(causa: string): string | null {
  const nome = causa
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAIOR_CAUSA)
    .replaceAll(/^_|_$/g, '');
  return nome === '' ? null : nome;
}

/** Old FreeRADIUS schemas left `0000-00-00 00:00:00` where there was no time. */
function instante(texto: string | null): number | null {
  return texto === null || texto.startsWith('0000') ? null : fromDatabaseTime(texto).getTime();
}

function data(instanteMs: number | null): Date | null {
  return instanteMs === null ? null : new Date(instanteMs);
}
