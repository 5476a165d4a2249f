import { fromDatabaseTime, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { CONSULTAS_POR_HORA } from '../desfecho.regras.ts';
import { ETAPAS } from '../envio.types.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { DevidaRow } from '../fila.queries.ts';
import { createTentativasQueries } from './tentativas.queries.ts';
import { ehPergunta, porTurnos, turnosDe } from './turnos.regras.ts';

const HORA_MS = 3_600_000;

/** Stages of a note that is signed. */
const ASSINADAS = ETAPAS.filter((etapa) => etapa !== 'montar');
/** What is done of notes that were sent already, also while people let the others wait. */
const DAS_ENVIADAS = ASSINADAS.filter((etapa) => etapa !== 'enviar');

/** Keys that were asked about as often as they may in an hour wait until it is over. Says how many do. */
async function adiar(w: Write, agora: Date, escolhidas: readonly DevidaRow[]): Promise<number> {
  const ids = escolhidas.filter(({ etapa }) => ehPergunta(etapa)).map(({ id }) => id);
  const consultas = await createTentativasQueries(w).consultas(ids, new Date(agora.getTime() - HORA_MS));
  let adiadas = 0;
  for (const [id, em] of consultas) {
    const decima = em[CONSULTAS_POR_HORA - 1];
    if (decima === undefined) continue;
    const proxima_em = toDatabaseTime(new Date(fromDatabaseTime(decima).getTime() + HORA_MS));
    await createFilaQueries(w).tomar([id], { proxima_em });
    adiadas += 1;
  }
  return adiadas;
}

/**
 * The signed notes of which something is done next, so many as there is room for.
 *
 * @param emCurso ids of those that are under way, how many of them are asked about, and whether people have paused what is not sent yet
 */
export async function notasASeguir(
  w: Write,
  agora: Date,
  vagas: number,
  {
    notas,
    perguntas,
    pausada,
  }: { readonly notas: ReadonlySet<number>; readonly perguntas: number; readonly pausada: boolean },
): Promise<readonly DevidaRow[]> {
  const etapas = pausada ? DAS_ENVIADAS : ASSINADAS;
  for (;;) {
    const devidas = await createFilaQueries(w).devidas(agora, etapas, vagas, notas);
    if (devidas.every(({ etapa }) => etapa === 'enviar')) return devidas;
    const turnos = turnosDe(await createTentativasQueries(w).ultimas(), agora);
    const escolhidas = porTurnos(devidas, turnos, perguntas).slice(0, vagas);
    // In place of those that wait, others are chosen.
    if ((await adiar(w, agora, escolhidas)) === 0) return escolhidas;
  }
}
