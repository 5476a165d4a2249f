import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import { TIPO_DE_EMISSAO } from '../../nfcom.types.ts';
import { PACIENCIA_MS } from '../autoridade.ts';
import { ASSINATURA_VALE_MS, SEM_AUTORIDADE, vagasDe } from '../desfecho.regras.ts';
import type { Etapa, Tarefa } from '../envio.types.ts';
import { createEstado, travarNota } from '../estado.ts';
import { createFilaQueries } from '../fila.queries.ts';
import type { ComoVai, DevidaRow, FilaRow } from '../fila.queries.ts';
import { notasASeguir } from './escolha.ts';

/** Until when whoever has a note must have said what came of it; after a kill -9 another takes it then. */
const PRAZO_MS = PACIENCIA_MS + 10_000;
/** Notes that are built and signed at a time. */
const POR_LOTE = 20;

/** What a note that is taken becomes, where that is another stage. */
const DEPOIS_DE: Partial<Record<Etapa, Etapa>> = { enviar: 'consultar', cancelar: 'conferir_cancelamento' };

/** A status is no note's. */
const DO_STATUS = 0;

/** Whether a note that waits to be sent was signed too long ago (see {@link ASSINATURA_VALE_MS}). */
const venceu = ({ tipo_emissao, emitida_em }: DevidaRow, agora: Date): boolean =>
  tipo_emissao === TIPO_DE_EMISSAO.normal &&
  emitida_em !== null &&
  emitida_em < toDatabaseTime(new Date(agora.getTime() - ASSINATURA_VALE_MS));

/** Until when what is taken now is done, or another may take it. */
export const prazoDesde = (agora: Date): string => toDatabaseTime(new Date(agora.getTime() + PRAZO_MS));

/** The next notes that are to be built, unless some are already. */
async function aMontar(w: Write, agora: Date, fila: FilaRow, emCurso: readonly Tarefa[]): Promise<Tarefa[]> {
  if (emCurso.some(({ fazer }) => fazer === 'montar') || fila.pausada_em !== null) return [];
  const menos = new Set(emCurso.map(({ id }) => id));
  const ids = (await createFilaQueries(w).devidas(agora, ['montar'], POR_LOTE, menos)).map(({ id }) => id);
  const [id] = ids;
  return id === undefined ? [] : [{ id, fazer: 'montar', ids }];
}

/**
 * What may be done next beside what is under way: notes that are signed first (see {@link notasASeguir}), then those that are to be built. In contingency these do not
 * wait for those: they are issued when they are signed.
 */
async function proximas(
  w: Write,
  agora: Date,
  fila: FilaRow,
  { ambiente, simultaneas, offline }: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<Tarefa[]> {
  const queries = createFilaQueries(w);
  const notas = emCurso.flatMap((tarefa) => (tarefa.fazer === 'nota' ? [tarefa.nota] : []));
  const restos = notas.filter((nota) => nota.ambiente !== ambiente).length;
  const vagas = vagasDe(fila, simultaneas) - (emCurso.length - restos);
  const devidas = await notasASeguir(w, agora, vagas, { emCurso: notas, fila, ambiente });
  const aEnviar = devidas.filter(({ etapa }) => etapa === 'enviar').map(({ fatura_id }) => fatura_id);
  const desfeitas = await queries.desfeitas(aEnviar);
  const xmls = await queries.xmls(devidas.map(({ id }) => id));
  const escolhidas: Tarefa[] = [];
  const porEtapa = new Map<Etapa, number[]>();
  let daqui = 0;
  for (const devida of devidas) {
    const { id, etapa, fatura_id, chave, ambiente: dela, protocolo, digest } = devida;
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
    escolhidas.push({ id, fazer: 'nota', nota: { id, etapa, chave, ambiente: dela, protocolo, xml, digest } });
    if (dela === ambiente) daqui += 1;
  }
  for (const [etapa, ids] of porEtapa) {
    // Whoever finds it after a death asks first whether it arrived.
    const depois = DEPOIS_DE[etapa] ?? etapa;
    await queries.tomar(ids, {
      etapa: depois,
      tentativas: w.tenant.db.raw('tentativas + 1'),
      proxima_em: prazoDesde(agora),
    });
  }
  if (daqui >= vagas && !offline) return escolhidas;
  return [...escolhidas, ...(await aMontar(w, agora, fila, emCurso))];
}

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
  await createEstado(w, agora).mudar(nota, { situacao: 'pendente', etapa, tentativas: 0 });
}

/** What may be done next, unless the queue is stopped; where the authority is away, notes are still issued offline in contingency. */
export async function escolherTarefas(
  w: Write,
  agora: Date,
  fila: FilaRow,
  como: ComoVai,
  emCurso: readonly Tarefa[],
): Promise<readonly Tarefa[]> {
  const { parada_ate: parada, codigo } = fila;
  const parado = parada !== null && parada > toDatabaseTime(agora);
  const soStatus = codigo === '108' || codigo === '109';
  if (!parado && !soStatus) return proximas(w, agora, fila, como, emCurso);
  const perguntar: Tarefa[] = parado || emCurso.length > 0 ? [] : [{ id: DO_STATUS, fazer: 'status' }];
  const offline = SEM_AUTORIDADE.has(codigo ?? '') && como.offline;
  return offline ? [...perguntar, ...(await aMontar(w, agora, fila, emCurso))] : perguntar;
}
