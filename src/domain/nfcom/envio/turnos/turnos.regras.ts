import { fromDatabaseTime, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import {
  REJEICOES_IGUAIS,
  SEM_AUTORIDADE,
  SEM_PERGUNTAR_MS,
  dizDaFila,
  foiRecusada,
  temANota,
} from '../desfecho.regras.ts';
import type { Etapa } from '../envio.types.ts';
import type { TentativaRow, Ultimas } from './tentativas.queries.ts';

/** Stages in which the authority is asked about a key, by the service Consulta: its others may answer while that one does not. */
export const PERGUNTAS: readonly Etapa[] = ['conferir_cancelamento', 'consultar', 'conferir'];
export const ehPergunta = (etapa: Etapa): boolean => PERGUNTAS.includes(etapa);

const AO_TOMAR: Partial<Record<Etapa, Etapa>> = { enviar: 'consultar', cancelar: 'conferir_cancelamento' };
/** In which stage a note stands while it is taken: whoever finds it after a death asks first whether what was sent arrived. */
export const etapaAoTomar = (etapa: Etapa): Etapa => AO_TOMAR[etapa] ?? etapa;

/** Whether it was answered, be it with a refusal. What it says of another key is an answer too. */
const respondida = ({ codigo, erro }: Pick<TentativaRow, 'codigo' | 'erro'>): boolean =>
  codigo === null ? erro === 'outra_chave' : !SEM_AUTORIDADE.has(codigo);

/** How the two services, of which notes wait, did the last time. */
export interface Turnos {
  /** Whether a note was sent after the last question. */
  readonly enviou: boolean;
  /** Whether what was sent last was answered, some minutes ago at most. */
  readonly recebe: boolean;
  /** Whether what was asked about last was not, or was refused as so many before it: then one question at a time finds out. */
  readonly consultaCalada: boolean;
  /** How many questions up to the last one that was answered were refused in a row, all alike: as many as are looked at, at most. */
  readonly recusadas: number;
  /** Until when nothing is asked, because the authority refuses whatever it is asked; null: it may be asked; undefined: it answered none. */
  readonly semPerguntarAte: Date | null | undefined;
}

/** So long ago an answer says nothing of a service any more. */
const RECENTE_MS = 10 * 60_000;

/** @param segurada whether it refused whatever it was asked before; then each further refusal is another hour */
export function turnosDe({ envio, consulta, respondidas }: Ultimas, agora: Date, segurada: boolean): Turnos {
  const desde = toDatabaseTime(new Date(agora.getTime() - RECENTE_MS));
  const [ultima] = respondidas;
  const recusadas = recusasIguais(respondidas);
  const geral = recusadas >= REJEICOES_IGUAIS || (segurada && recusadas > 0);
  return {
    enviou: (envio?.id ?? 0) > (consulta?.id ?? 0),
    recebe: envio !== undefined && envio.em > desde && respondida(envio),
    consultaCalada: (consulta !== undefined && !respondida(consulta)) || geral || segurada,
    recusadas,
    semPerguntarAte: ultima && (geral ? new Date(fromDatabaseTime(ultima.em).getTime() + SEM_PERGUNTAR_MS) : null),
  };
}

/** How many of the last were refused in a row, all alike. Of how many notes does not matter: the authority counts equal answers. */
function recusasIguais(respondidas: Ultimas['respondidas']): number {
  const codigo = respondidas[0]?.codigo ?? null;
  if (codigo === null || !foiRecusada(codigo) || temANota(codigo)) return 0;
  const fim = respondidas.findIndex((uma) => uma.codigo !== codigo);
  return fim === -1 ? respondidas.length : fim;
}

/** How often in a row the authority refused to say whether it has a note. @param ultimas of the note, the newest first */
export function recusasSeguidas(ultimas: readonly Pick<TentativaRow, 'operacao' | 'codigo'>[]): number {
  let recusas = 0;
  for (const { operacao, codigo } of ultimas) {
    if (operacao !== 'consulta') break;
    // What was not answered, or only that the queue is to stop, says nothing of the note.
    if (codigo === null || dizDaFila(codigo)) continue;
    if (!foiRecusada(codigo)) break;
    recusas += 1;
  }
  return recusas;
}

/**
 * What is taken of the notes that are due, which stand in the order of their stages. After one was sent others are asked about, and the other
 * way round, so that neither waits for the other's service. While Consulta does not answer, or refuses whatever it is asked, one question at a
 * time finds out, of the note that has waited longest; and never are so many asked at a time that more would be refused alike than stop it.
 *
 * @param perguntando how many questions are under way
 */
export function porTurnos<Nota extends { readonly etapa: Etapa; readonly proxima_em: string }>(
  devidas: readonly Nota[],
  { enviou, consultaCalada, recusadas }: Turnos,
  perguntando: number,
): Nota[] {
  const envios = devidas.filter(({ etapa }) => etapa === 'enviar');
  const naOrdem = devidas.filter(({ etapa }) => etapa !== 'enviar');
  const outras = consultaCalada ? naOrdem.toSorted((a, b) => (a.proxima_em < b.proxima_em ? -1 : 1)) : naOrdem;
  let cabem = (consultaCalada ? 1 : REJEICOES_IGUAIS - recusadas) - perguntando;
  const tomadas = outras.filter(({ etapa }) => !ehPergunta(etapa) || (cabem -= 1) >= 0);
  return enviou ? [...tomadas, ...envios] : [...envios, ...tomadas];
}
