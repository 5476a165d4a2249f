import { fromDatabaseTime, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { OUTRO_AMBIENTE } from '../../nfcom.types.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import { CONSULTAS_POR_HORA } from '../desfecho.regras.ts';
import { ASSINADAS } from '../envio.types.ts';
import type { Etapa, Tomada } from '../envio.types.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { DevidaRow } from '../fila.queries.ts';
import type { EstadoRow, FilaRow } from '../fila.row.ts';
import { createTentativasQueries } from './tentativas.queries.ts';
import { ehPergunta, porTurnos, turnosDe } from './turnos.regras.ts';

const HORA_MS = 3_600_000;

/** What is done of notes that were sent already, also while people let the others wait. */
const DAS_ENVIADAS = ASSINADAS.filter((etapa) => etapa !== 'enviar');

/** So often others are looked for in place of those that wait: what is left comes with the next turn, however many there are. */
const PROCURAS = 3;

/** Keys that were asked about as often as they may in an hour wait until it is over. Says of which notes. */
async function adiar(w: Write, agora: Date, escolhidas: readonly DevidaRow[]): Promise<ReadonlySet<number>> {
  const ids = escolhidas.filter(({ etapa }) => ehPergunta(etapa)).map(({ id }) => id);
  const consultas = await createTentativasQueries(w).consultas(ids, new Date(agora.getTime() - HORA_MS));
  const adiadas = new Map(
    [...consultas].flatMap(([id, em]) => {
      const decima = em[CONSULTAS_POR_HORA - 1];
      if (decima === undefined) return [];
      return [[id, toDatabaseTime(new Date(fromDatabaseTime(decima).getTime() + HORA_MS))] as const];
    }),
  );
  if (adiadas.size > 0) await w.updateEach('nfcom', [...adiadas.keys()], { proxima_em: [...adiadas.values()] });
  return new Set(adiadas.keys());
}

/** What is under way, the queue, and where notes are issued now. */
interface DeQue {
  readonly emCurso: readonly Tomada[];
  readonly fila: FilaRow;
  readonly ambiente: AmbienteNfcom;
}

/** Stages of signed notes in which something may be done: not while people let them wait, and not while an authority refuses whatever it is asked. */
function etapasAFazer(
  { pausada_em }: Pick<FilaRow, 'pausada_em'>,
  { sem_perguntar_ate }: EstadoRow,
  agora: Date,
): readonly Etapa[] {
  const assinadas = pausada_em === null ? ASSINADAS : DAS_ENVIADAS;
  const pergunta = (sem_perguntar_ate ?? '') <= toDatabaseTime(agora);
  return pergunta ? assinadas : assinadas.filter((etapa) => !ehPergunta(etapa));
}

const idsDe = (notas: readonly Tomada[]): ReadonlySet<number> => new Set(notas.map(({ id }) => id));

/**
 * The signed notes of this environment of which something is done next. While nothing is asked, because the authority refuses whatever it is
 * asked, those that are asked about stand as they are: afterwards the one that has waited longest is the next.
 *
 * @param vagas how many there is room for
 */
export async function notasASeguir(
  w: Write,
  agora: Date,
  vagas: number,
  { emCurso, fila, ambiente }: DeQue,
): Promise<readonly DevidaRow[]> {
  if (vagas <= 0) return [];
  const etapas = etapasAFazer(fila, fila, agora);
  const perguntando = emCurso.filter((nota) => nota.ambiente === ambiente && ehPergunta(nota.etapa)).length;
  for (let vez = 1; ; vez += 1) {
    const devidas = await createFilaQueries(w).devidas(agora, etapas, vagas, idsDe(emCurso), ambiente);
    if (devidas.every(({ etapa }) => etapa === 'enviar')) return devidas;
    const ultimas = await createTentativasQueries(w).ultimas(ambiente);
    const turnos = turnosDe(ultimas, agora, fila.sem_perguntar_ate !== null);
    const escolhidas = porTurnos(devidas, turnos, perguntando).slice(0, vagas);
    const adiadas = await adiar(w, agora, escolhidas);
    // In place of those that wait, others are chosen.
    if (adiadas.size === 0 || vez === PROCURAS) return escolhidas.filter(({ id }) => !adiadas.has(id));
  }
}

/**
 * The next of the notes that are left of the other environment: one at a time, the one that has waited longest, so that none waits for another
 * of which nothing is said. It takes no place of the others, for its authority is another.
 */
export async function restoASeguir(
  w: Write,
  agora: Date,
  { emCurso, fila, ambiente }: DeQue,
): Promise<readonly DevidaRow[]> {
  const { outra } = fila;
  const la = OUTRO_AMBIENTE[ambiente];
  if (emCurso.some((nota) => nota.ambiente === la) || (outra.parada_ate ?? '') > toDatabaseTime(agora)) return [];
  const etapas = etapasAFazer(fila, outra, agora);
  const devidas = await createFilaQueries(w).devidas(agora, etapas, 1, idsDe(emCurso), la);
  const restos = devidas.toSorted((a, b) => (a.proxima_em < b.proxima_em ? -1 : 1)).slice(0, 1);
  return (await adiar(w, agora, restos)).size > 0 ? [] : restos;
}
