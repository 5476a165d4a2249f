import { fromDatabaseTime, toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import { CONSULTAS_POR_HORA } from '../desfecho.regras.ts';
import { ASSINADAS } from '../envio.types.ts';
import type { Tomada } from '../envio.types.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { DevidaRow, FilaRow } from '../fila.queries.ts';
import { createTentativasQueries } from './tentativas.queries.ts';
import { ehPergunta, porTurnos, turnosDe } from './turnos.regras.ts';

const HORA_MS = 3_600_000;

const OUTRO = { producao: 'homologacao', homologacao: 'producao' } as const;
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
 * The signed notes of which something is done next. While nothing is asked, because the authority refuses whatever it is asked, those that are
 * asked about stand as they are: afterwards the one that has waited longest is the next. What is left of the other environment comes after all
 * that is due of this one, one note at a time; it takes no place of the others, for its authority is another.
 *
 * @param vagas how many notes of this environment there is room for
 * @param emCurso those that are under way, the queue's row, and where notes are issued
 */
export async function notasASeguir(
  w: Write,
  agora: Date,
  vagas: number,
  {
    emCurso,
    fila,
    ambiente,
  }: {
    readonly emCurso: readonly Tomada[];
    readonly fila: Pick<FilaRow, 'pausada_em' | 'sem_perguntar_ate'>;
    readonly ambiente: AmbienteNfcom;
  },
): Promise<readonly DevidaRow[]> {
  const assinadas = fila.pausada_em === null ? ASSINADAS : DAS_ENVIADAS;
  const pergunta = (fila.sem_perguntar_ate ?? '') <= toDatabaseTime(agora);
  const etapas = pergunta ? assinadas : assinadas.filter((etapa) => !ehPergunta(etapa));
  const menos = new Set(emCurso.map(({ id }) => id));
  const queries = createFilaQueries(w);

  async function daqui(devidas: readonly DevidaRow[], vez = 1): Promise<readonly DevidaRow[]> {
    if (devidas.every(({ etapa }) => etapa === 'enviar')) return devidas;
    const ultimas = await createTentativasQueries(w).ultimas(ambiente);
    const perguntando = emCurso.filter((nota) => nota.ambiente === ambiente && ehPergunta(nota.etapa)).length;
    const turnos = turnosDe(ultimas, agora, fila.sem_perguntar_ate !== null);
    const escolhidas = porTurnos(devidas, turnos, perguntando).slice(0, vagas);
    // In place of those that wait, others are chosen.
    const adiadas = await adiar(w, agora, escolhidas);
    if (adiadas.size === 0) return escolhidas;
    if (vez >= PROCURAS) return escolhidas.filter(({ id }) => !adiadas.has(id));
    return daqui(await queries.devidas(agora, etapas, vagas, menos, ambiente), vez + 1);
  }

  if (vagas <= 0) return [];
  const devidas = await queries.devidas(agora, etapas, vagas, menos, ambiente);
  const escolhidas = await daqui(devidas);
  if (devidas.length >= vagas || emCurso.some((nota) => nota.ambiente !== ambiente)) return escolhidas;
  // Few rows of this environment are passed over to find it: all that are due were found.
  const [resto] = await queries.devidas(agora, etapas, 1, menos, OUTRO[ambiente]);
  if (resto === undefined || (await adiar(w, agora, [resto])).size > 0) return escolhidas;
  return [...escolhidas, resto];
}
