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
import type { TentativaRow } from './tentativas.queries.ts';

/** Stages in which the authority is asked about a key, by the service Consulta: its others may answer while that one does not. */
export const PERGUNTAS: readonly Etapa[] = ['conferir_cancelamento', 'consultar', 'conferir'];
export const ehPergunta = (etapa: Etapa): boolean => PERGUNTAS.includes(etapa);

/** Whether it was answered, be it with a refusal. What it says of another key is an answer too. */
const respondida = ({ codigo, erro }: TentativaRow): boolean =>
  codigo === null ? erro === 'outra_chave' : !SEM_AUTORIDADE.has(codigo);

/** How the two services, of which notes wait, did the last time. */
export interface Turnos {
  /** Whether the last that was asked of the authority was to take a note. */
  readonly enviou: boolean;
  /** Whether what was sent last was answered, some minutes ago at most. */
  readonly recebe: boolean;
  /** Whether what was asked about last was not, or was refused as so many before it: then one question at a time finds out. */
  readonly consultaCalada: boolean;
  /** Until when nothing is asked, because the authority refuses whatever it is asked; null: it may be asked. */
  readonly semPerguntarAte: Date | null;
}

/** So long ago an answer says nothing of a service any more. */
const RECENTE_MS = 10 * 60_000;

/** @param ultimas of a provider, the newest first */
export function turnosDe(ultimas: readonly TentativaRow[], agora: Date): Turnos {
  const envio = ultimas.find(({ operacao }) => operacao === 'envio');
  const consulta = ultimas.find(({ operacao }) => operacao === 'consulta');
  const desde = toDatabaseTime(new Date(agora.getTime() - RECENTE_MS));
  const recusada = recusaGeral(ultimas);
  const ate = recusada === undefined ? null : new Date(fromDatabaseTime(recusada.em).getTime() + SEM_PERGUNTAR_MS);
  return {
    enviou: ultimas[0]?.operacao === 'envio',
    recebe: envio !== undefined && envio.em > desde && respondida(envio),
    consultaCalada: (consulta !== undefined && !respondida(consulta)) || recusada !== undefined,
    semPerguntarAte: ate !== null && ate > agora ? ate : null,
  };
}

/** The last question that was refused, where those about {@link REJEICOES_IGUAIS} different notes in a row were, all alike. */
function recusaGeral(ultimas: readonly TentativaRow[]): TentativaRow | undefined {
  const consultas = ultimas.filter(
    ({ operacao, codigo }) => operacao === 'consulta' && codigo !== null && !dizDaFila(codigo),
  );
  const [ultima] = consultas;
  if (ultima === undefined || ultima.codigo === null) return undefined;
  if (!foiRecusada(ultima.codigo) || temANota(ultima.codigo)) return undefined;
  const fim = consultas.findIndex(({ codigo }) => codigo !== ultima.codigo);
  const notas = new Set(consultas.slice(0, fim === -1 ? undefined : fim).map(({ nfcom_id: nota }) => nota));
  return notas.size < REJEICOES_IGUAIS ? undefined : ultima;
}

/** How often in a row the authority refused to say whether it has a note. @param ultimas of the note, the newest first */
export function recusasSeguidas(ultimas: readonly TentativaRow[]): number {
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
 * time finds out, of the note that has waited longest.
 *
 * @param perguntando questions that are under way
 */
export function porTurnos<Nota extends { readonly etapa: Etapa; readonly proxima_em: string }>(
  devidas: readonly Nota[],
  { enviou, consultaCalada }: Turnos,
  perguntando: number,
): Nota[] {
  const envios = devidas.filter(({ etapa }) => etapa === 'enviar');
  const naOrdem = devidas.filter(({ etapa }) => etapa !== 'enviar');
  const outras = consultaCalada ? naOrdem.toSorted((a, b) => (a.proxima_em < b.proxima_em ? -1 : 1)) : naOrdem;
  let cabem = consultaCalada ? Math.max(0, 1 - perguntando) : outras.length;
  const tomadas = outras.filter(({ etapa }) => !ehPergunta(etapa) || (cabem -= 1) >= 0);
  return enviou ? [...tomadas, ...envios] : [...envios, ...tomadas];
}
