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
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import type { DoProvedorRow, TentativaRow } from './tentativas.queries.ts';

/** Stages in which the authority is asked about a key, by the service Consulta: its others may answer while that one does not. */
export const PERGUNTAS: readonly Etapa[] = ['conferir_cancelamento', 'consultar', 'conferir'];
export const ehPergunta = (etapa: Etapa): boolean => PERGUNTAS.includes(etapa);

/** Whether it was answered, be it with a refusal. What it says of another key is an answer too. */
const respondida = ({ codigo, erro }: TentativaRow): boolean =>
  codigo === null ? erro === 'outra_chave' : !SEM_AUTORIDADE.has(codigo);

/** How the two services, of which notes wait, did the last time, where the provider issues notes now. */
export interface Turnos {
  /** Where that is. Of the other environment, whose authority is another, notes may be left. */
  readonly ambiente: AmbienteNfcom;
  /** Whether the last that was asked of either authority was to take a note. */
  readonly enviou: boolean;
  /** Whether what was sent last was answered, some minutes ago at most. */
  readonly recebe: boolean;
  /** Whether what was asked about last was not, or was refused as so many before it: then one question at a time finds out. */
  readonly consultaCalada: boolean;
  /** How many questions up to the last one that was answered were refused in a row, all alike. */
  readonly recusadas: number;
  /** Until when nothing is asked, because the authority refuses whatever it is asked; null: it may be asked; undefined: it answered none. */
  readonly semPerguntarAte: Date | null | undefined;
}

/** So long ago an answer says nothing of a service any more. */
const RECENTE_MS = 10 * 60_000;

/**
 * @param todas of a provider, the newest first
 * @param segurada whether it refused whatever it was asked before; then each further refusal is another hour, however much was sent since
 */
export function turnosDe(
  todas: readonly DoProvedorRow[],
  ambiente: AmbienteNfcom,
  agora: Date,
  segurada: boolean,
): Turnos {
  const ultimas = todas.filter((uma) => uma.ambiente === ambiente);
  const envio = ultimas.find(({ operacao }) => operacao === 'envio');
  const consulta = ultimas.find(({ operacao }) => operacao === 'consulta');
  const desde = toDatabaseTime(new Date(agora.getTime() - RECENTE_MS));
  const { ultima, recusas } = recusasIguais(ultimas);
  const geral = recusas >= REJEICOES_IGUAIS || (segurada && recusas > 0);
  return {
    ambiente,
    enviou: todas[0]?.operacao === 'envio',
    recebe: envio !== undefined && envio.em > desde && respondida(envio),
    consultaCalada: (consulta !== undefined && !respondida(consulta)) || geral || segurada,
    recusadas: recusas,
    semPerguntarAte: ultima && (geral ? new Date(fromDatabaseTime(ultima.em).getTime() + SEM_PERGUNTAR_MS) : null),
  };
}

/**
 * The last question that was answered, and how many up to it were refused in a row, all alike. Of how many notes does not matter: the authority
 * counts equal answers.
 */
function recusasIguais(ultimas: readonly TentativaRow[]): { readonly ultima?: TentativaRow; readonly recusas: number } {
  const consultas = ultimas.filter(
    ({ operacao, codigo }) => operacao === 'consulta' && codigo !== null && !dizDaFila(codigo),
  );
  const [ultima] = consultas;
  if (ultima === undefined || ultima.codigo === null) return { recusas: 0 };
  if (!foiRecusada(ultima.codigo) || temANota(ultima.codigo)) return { ultima, recusas: 0 };
  const fim = consultas.findIndex(({ codigo }) => codigo !== ultima.codigo);
  return { ultima, recusas: fim === -1 ? consultas.length : fim };
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

interface Perguntavel {
  readonly etapa: Etapa;
  readonly ambiente: AmbienteNfcom;
  readonly proxima_em: string;
}

/**
 * What is taken of the notes that are due, which stand in the order of their stages. After one was sent others are asked about, and the other
 * way round, so that neither waits for the other's service. While Consulta does not answer, or refuses whatever it is asked, one question at a
 * time finds out, of the note that has waited longest; and never are so many asked at a time that more would be refused alike than stop it.
 * What is left of another environment is asked about after that, one at a time, whatever its authority says.
 *
 * @param perguntando questions that are under way, of each environment
 */
export function porTurnos<Nota extends Perguntavel>(
  devidas: readonly Nota[],
  { ambiente, enviou, consultaCalada, recusadas }: Turnos,
  perguntando: Readonly<Record<AmbienteNfcom, number>>,
): Nota[] {
  const envios = devidas.filter(({ etapa }) => etapa === 'enviar');
  const naOrdem = devidas.filter(({ etapa }) => etapa !== 'enviar');
  const outras = consultaCalada ? naOrdem.toSorted((a, b) => (a.proxima_em < b.proxima_em ? -1 : 1)) : naOrdem;
  const deLa = (nota: Nota): boolean => ehPergunta(nota.etapa) && nota.ambiente !== ambiente;
  const cabem = { producao: 1, homologacao: 1 };
  if (!consultaCalada) cabem[ambiente] = REJEICOES_IGUAIS - recusadas;
  const tomadas = [...outras.filter((nota) => !deLa(nota)), ...outras.filter(deLa)].filter(
    (nota) => !ehPergunta(nota.etapa) || (cabem[nota.ambiente] -= 1) >= perguntando[nota.ambiente],
  );
  return enviou ? [...tomadas, ...envios] : [...envios, ...tomadas];
}
