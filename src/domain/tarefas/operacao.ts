import { hojeEm, lerData } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { horaEm } from '../../brazil/calendario/horario.ts';
import { rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { WriteFor } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { diaDaTarefa } from './dia.regras.ts';
import { contarTarefas, fusosEmUso } from './pendentes.queries.ts';
import { reabrirDesde } from './reabertura.service.ts';
import { COLUNAS_DO_DIA, TAREFAS_DIARIAS } from './tarefas.types.ts';
import type { TarefaDiaria } from './tarefas.types.ts';

/** What has not been done this long after its day began is behind. */
const TOLERANCIA_MS = 3_600_000;
const DIAS_MOSTRADOS = 7;

/** A task's day, over all providers for whom it is that day. */
export interface SituacaoDaTarefa {
  readonly tarefa: TarefaDiaria;
  readonly dia: Data;
  readonly feitas: number;
  readonly pendentes: number;
  /** Of those pending, how many should be done by now. */
  readonly atrasadas: number;
}

export interface DiaDoProvedor {
  readonly tarefa: TarefaDiaria;
  readonly dia: Data;
  readonly linhas: number;
  readonly iniciadaEm: string;
  readonly concluidaEm: string | null;
}

export const ehTarefaDiaria = (nome: string): nome is TarefaDiaria => TAREFAS_DIARIAS.some((tarefa) => tarefa === nome);

/**
 * The day that a provider's work is asked for: the one written, or the newest that is due. Null when the one written has not begun there.
 *
 * @throws EntradaInvalida when it is no date.
 */
export function diaPedido({ fusoHorario }: Provedor, texto: string | undefined, agora: Date): Data | null {
  if (texto === undefined) return diaDaTarefa(fusoHorario, agora);
  const dia = lerData(texto);
  if (dia === null) throw new EntradaInvalida(`data: ${texto} não é uma data AAAA-MM-DD`);
  return dia > hojeEm(fusoHorario, agora) ? null : dia;
}

/** How far the day's work has come, by task and day, counted in MySQL. */
export async function situacaoDasTarefas(db: Db, relogio: Relogio): Promise<SituacaoDaTarefa[]> {
  const agora = relogio.agora();
  const antes = new Date(agora.getTime() - TOLERANCIA_MS);
  const fusos = await fusosEmUso(db);
  const linhas = await contarTarefas(
    db,
    fusos.map((fuso) => ({ fuso, dia: diaDaTarefa(fuso, agora), hora: horaEm(fuso, agora) })),
  );
  const juntas = new Map<string, SituacaoDaTarefa>();
  for (const { tarefa, fuso, dia, provedores, feitas, esperam } of linhas) {
    const chave = `${tarefa} ${dia}`;
    const ate = juntas.get(chave) ?? { tarefa, dia, feitas: 0, pendentes: 0, atrasadas: 0 };
    const pendentes = provedores - Number(feitas);
    // A ladder waits for its provider's hour, and is behind from an hour after it on.
    const atrasadas = diaDaTarefa(fuso, antes) === dia ? pendentes - Number(esperam) : 0;
    juntas.set(chave, {
      ...ate,
      feitas: ate.feitas + Number(feitas),
      pendentes: ate.pendentes + pendentes,
      atrasadas: ate.atrasadas + atrasadas,
    });
  }
  return [...juntas.values()].toSorted((a, b) => a.tarefa.localeCompare(b.tarefa) || a.dia.localeCompare(b.dia));
}

/** The last days of a provider, newest first. */
export async function diasDoProvedor(db: Db, provedorId: number): Promise<DiaDoProvedor[]> {
  const ultimos = createTenantDb(db, provedorId)
    .from('tarefas_diarias')
    .orderBy([{ column: 'dia', order: 'desc' }, 'tarefa'])
    .limit(DIAS_MOSTRADOS * TAREFAS_DIARIAS.length);
  const rows = await rowsOf(ultimos, COLUNAS_DO_DIA);
  return rows.map(({ iniciada_em, concluida_em, ...row }) => ({
    ...row,
    iniciadaEm: iniciada_em,
    concluidaEm: concluida_em,
  }));
}

/**
 * Makes a provider's day undone, and the days after it: what they wrote would otherwise be newer. Whoever is at one stops. Says whether
 * there was anything to undo.
 */
export async function reabrirTarefa(
  actor: Actor,
  write: WriteFor,
  { tarefa, provedorId, dia }: { tarefa: TarefaDiaria; provedorId: number; dia: Data },
): Promise<boolean> {
  return write(actor, provedorId, async (w) => (await reabrirDesde(w, tarefa, dia)) > 0);
}
