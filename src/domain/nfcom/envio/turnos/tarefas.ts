import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { OUTRO_AMBIENTE, TIPO_DE_EMISSAO } from '../../nfcom.types.ts';
import { PACIENCIA_MS } from '../autoridade.ts';
import { ASSINATURA_VALE_MS, ASSINATURA_VENCIDA, SEM_AUTORIDADE, vagasDe } from '../desfecho.regras.ts';
import type { Etapa, Tarefa } from '../envio.types.ts';
import { createEstado, travarNota } from '../estado.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { ComoVai, DevidaRow } from '../fila.queries.ts';
import type { FilaRow } from '../fila.row.ts';
import { notasASeguir, restoASeguir } from './escolha.ts';
import { etapaAoTomar } from './turnos.regras.ts';

/** Until when whoever has a note must have said what came of it; after a kill -9 another takes it then. */
const PRAZO_MS = PACIENCIA_MS + 10_000;
/** Notes that are built and signed at a time. */
const POR_LOTE = 20;

/** A status is no note's. */
const DO_STATUS = 0;

/** Whether a note that waits to be sent was signed too long ago (see {@link ASSINATURA_VALE_MS}). */
const venceu = ({ tipo_emissao, emitida_em }: DevidaRow, agora: Date): boolean =>
  tipo_emissao === TIPO_DE_EMISSAO.normal &&
  emitida_em !== null &&
  emitida_em < toDatabaseTime(new Date(agora.getTime() - ASSINATURA_VALE_MS));

/** Until when what is taken now is done, or another may take it. */
export const prazoDesde = (agora: Date): string => toDatabaseTime(new Date(agora.getTime() + PRAZO_MS));

/** The next notes that are to be built, unless some are already; what was asked for in the other environment is refused after those of this one. */
async function aMontar(
  w: Write,
  agora: Date,
  fila: FilaRow,
  { ambiente }: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<Tarefa[]> {
  if (emCurso.some(({ fazer }) => fazer === 'montar') || fila.pausada_em !== null) return [];
  const queries = createFilaQueries(w);
  const menos = new Set(emCurso.map(({ id }) => id));
  const deAgora = await queries.devidas(agora, ['montar'], POR_LOTE, menos, ambiente);
  const devidas =
    deAgora.length > 0 ? deAgora : await queries.devidas(agora, ['montar'], POR_LOTE, menos, OUTRO_AMBIENTE[ambiente]);
  const ids = devidas.map(({ id }) => id);
  const [id] = ids;
  return id === undefined ? [] : [{ id, fazer: 'montar', ids }];
}

/** Takes notes, of which something is done now. Those whose invoice was cancelled, or that are too old to be sent, become something else instead. */
async function tomar(w: Write, agora: Date, devidas: readonly DevidaRow[]): Promise<Tarefa[]> {
  const queries = createFilaQueries(w);
  const aEnviar = devidas.filter(({ etapa }) => etapa === 'enviar').map(({ fatura_id }) => fatura_id);
  const desfeitas = await queries.desfeitas(aEnviar);
  const xmls = await queries.xmls(devidas.map(({ id }) => id));
  const tomadas: Tarefa[] = [];
  const porEtapa = new Map<Etapa, number[]>();
  for (const devida of devidas) {
    const { id, etapa, fatura_id, chave, ambiente, protocolo, digest } = devida;
    const xml = xmls.get(id) ?? null;
    if (etapa === 'montar' || chave === null || (xml === null && etapa === 'enviar')) {
      throw new Error(`a nota ${id} não está assinada`);
    }
    if (etapa === 'enviar' && desfeitas.has(fatura_id) && (await soltar(w, id, agora))) continue;
    if (etapa === 'enviar' && venceu(devida, agora)) {
      await assinarDeNovo(w, id, agora);
      continue;
    }
    porEtapa.set(etapa, [...(porEtapa.get(etapa) ?? []), id]);
    tomadas.push({ id, fazer: 'nota', nota: { id, etapa, chave, ambiente, protocolo, xml, digest } });
  }
  for (const [etapa, ids] of porEtapa) {
    await queries.tomar(ids, {
      etapa: etapaAoTomar(etapa),
      tentativas: w.tenant.db.raw('tentativas + 1'),
      proxima_em: prazoDesde(agora),
    });
  }
  return tomadas;
}

/**
 * What may be done next of this environment beside what is under way: notes that are signed first (see {@link notasASeguir}), then those that
 * are to be built. In contingency these do not wait for those: they are issued when they are signed.
 */
async function daqui(
  w: Write,
  agora: Date,
  fila: FilaRow,
  como: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<Tarefa[]> {
  const notas = notasDe(emCurso);
  const restos = notas.filter((nota) => nota.ambiente !== como.ambiente).length;
  const vagas = vagasDe(fila, como.simultaneas) - (emCurso.length - restos);
  const seguem = await notasASeguir(w, agora, vagas, { emCurso: notas, fila, ambiente: como.ambiente });
  const tomadas = await tomar(w, agora, seguem);
  if (tomadas.length >= vagas && !como.offline) return tomadas;
  return [...tomadas, ...(await aMontar(w, agora, fila, como, emCurso))];
}

const notasDe = (tarefas: readonly Tarefa[]) =>
  tarefas.flatMap((tarefa) => (tarefa.fazer === 'nota' ? [tarefa.nota] : []));

/** A note that is not with the authority, of an invoice that was cancelled, is not sent any more; says whether it was so. */
async function soltar(w: Write, id: number, agora: Date): Promise<boolean> {
  const nota = await travarNota(w, id);
  if (nota === undefined || nota.finalidade !== 'normal') return false;
  await createEstado(w, agora).solta(nota, 'fatura_cancelada', 'a fatura foi cancelada ou estornada');
  return true;
}

/** A note that the authority would refuse for its date is built anew, with its number; one that it was sent once is asked about first. */
async function assinarDeNovo(w: Write, id: number, agora: Date): Promise<void> {
  const nota = await travarNota(w, id);
  if (nota === undefined) return;
  const etapa = nota.tentativas > 0 ? 'conferir' : 'montar';
  const porque = { motivo_codigo: ASSINATURA_VENCIDA, motivo: 'esperou demais para ser enviada, e é assinada de novo' };
  await createEstado(w, agora).mudar(nota, { situacao: 'pendente', etapa, tentativas: 0, ...porque });
}

/** What may be done next: of what is left of the other environment, and, unless the queue is stopped, of this one. */
export async function escolherTarefas(
  w: Write,
  agora: Date,
  fila: FilaRow,
  como: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<readonly Tarefa[]> {
  const { ambiente } = como;
  const resto = await tomar(w, agora, await restoASeguir(w, agora, { emCurso: notasDe(emCurso), fila, ambiente }));
  return [...resto, ...(await daquiOuParado(w, agora, fila, como, emCurso))];
}

/** While the queue stands its authority is asked for its status; where that one is away, notes are still issued offline in contingency. */
async function daquiOuParado(
  w: Write,
  agora: Date,
  fila: FilaRow,
  como: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<Tarefa[]> {
  const { parada_ate: parada, codigo } = fila;
  const parado = parada !== null && parada > toDatabaseTime(agora);
  const soStatus = codigo === '108' || codigo === '109';
  if (!parado && !soStatus) return daqui(w, agora, fila, como, emCurso);
  const deLa = notasDe(emCurso).filter((nota) => nota.ambiente !== como.ambiente).length;
  const perguntar: Tarefa[] = parado || emCurso.length > deLa ? [] : [{ id: DO_STATUS, fazer: 'status' }];
  const offline = SEM_AUTORIDADE.has(codigo ?? '') && como.offline;
  return offline ? [...perguntar, ...(await aMontar(w, agora, fila, como, emCurso))] : perguntar;
}
