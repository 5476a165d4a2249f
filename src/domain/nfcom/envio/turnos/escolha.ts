import { fromDatabaseTime, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import { CONSULTAS_POR_HORA } from '../desfecho.regras.ts';
import { ETAPAS } from '../envio.types.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { DevidaRow, FilaRow } from '../fila.queries.ts';
import { createTentativasQueries } from './tentativas.queries.ts';
import { ehPergunta, porTurnos, turnosDe } from './turnos.regras.ts';

const HORA_MS = 3_600_000;

/** Stages of a note that is signed. */
const ASSINADAS = ETAPAS.filter((etapa) => etapa !== 'montar');
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

/**
 * The signed notes of which something is done next, so many as there is room for. While nothing is asked, because the authority refuses whatever
 * it is asked, those that are asked about stand as they are: afterwards the one that has waited longest is the next.
 *
 * @param emCurso ids of those that are under way, how many of them are asked about in each environment, the queue's row, and where notes are issued
 */
export async function notasASeguir(
  w: Write,
  agora: Date,
  vagas: number,
  {
    notas,
    perguntas,
    fila,
    ambiente,
  }: {
    readonly notas: ReadonlySet<number>;
    readonly perguntas: Readonly<Record<AmbienteNfcom, number>>;
    readonly fila: Pick<FilaRow, 'pausada_em' | 'sem_perguntar_ate'>;
    readonly ambiente: AmbienteNfcom;
  },
): Promise<readonly DevidaRow[]> {
  const assinadas = fila.pausada_em === null ? ASSINADAS : DAS_ENVIADAS;
  const pergunta = (fila.sem_perguntar_ate ?? '') <= toDatabaseTime(agora);
  const etapas = pergunta ? assinadas : assinadas.filter((etapa) => !ehPergunta(etapa));
  const queries = createFilaQueries(w);
  for (let vez = 1; ; vez += 1) {
    const devidas = await queries.devidas(agora, etapas, vagas, notas, ambiente);
    if (devidas.every(({ etapa }) => etapa === 'enviar')) return devidas;
    const ultimas = await createTentativasQueries(w).ultimas();
    const turnos = turnosDe(ultimas, ambiente, agora, fila.sem_perguntar_ate !== null);
    const escolhidas = porTurnos(devidas, turnos, perguntas).slice(0, vagas);
    // In place of those that wait, others are chosen.
    const adiadas = await adiar(w, agora, escolhidas);
    if (adiadas.size === 0) return escolhidas;
    if (vez >= PROCURAS) return escolhidas.filter(({ id }) => !adiadas.has(id));
  }
}
