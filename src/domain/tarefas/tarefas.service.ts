import { setTimeout as sleep } from 'node:timers/promises';
import { hojeEm, lerData, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { horaEm } from '../../brazil/calendario/horario.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { tocarSino } from '../notificacoes/toque.service.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { dizerUmaVez } from '../push/lembretes/uma-vez.service.ts';
import { diaDaTarefa } from './dia.regras.ts';
import { fusosEmUso, tarefasPendentes } from './pendentes.queries.ts';
import type { Ritmo } from './ritmo.regras.ts';
import { createTarefasQueries } from './tarefas.queries.ts';
import type { Andamento } from './tarefas.queries.ts';
import { falhaDe } from './tarefas.types.ts';
import type { Desfecho, Execucao, TarefaDiaria, TarefaDoDia, Trabalho, TrabalhoInteiro } from './tarefas.types.ts';

export type TarefasService = ReturnType<typeof createTarefasService>;

export interface TarefasDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly trabalhos: Readonly<Record<TarefaDiaria, Trabalho | TrabalhoInteiro>>;
  /** Asked before each chunk. */
  readonly ritmo: (provedorId: number, esfria: boolean) => Ritmo | Promise<Ritmo>;
}

/** A task as it was asked for, by whatever text. */
type TarefaPedida = Omit<TarefaDoDia, 'dia'> & { readonly dia: string };

interface Percurso {
  readonly actor: Actor;
  readonly provedor: Provedor;
  readonly tarefa: TarefaDiaria;
  readonly dia: Data;
  readonly de: Andamento;
}

export interface Feito {
  readonly desfecho: Desfecho;
  /** Rows that changed, in this run and in those before it. */
  readonly linhas: number;
}

/** Another run of the same day has gone further. */
class DeOutro extends Error {}

/**
 * What each provider does once for each of its local days. How far a day has come is kept in MySQL with what was done, chunk by chunk in
 * one transaction, so a run goes on where the last one was cut off, and whatever the queue forgets or repeats, a day is done once.
 */
export function createTarefasService({ db, write, relogio, provedores, trabalhos, ritmo }: TarefasDeps) {
  /** Opens the day, unless there is nothing left to do of it. */
  async function abrir(
    actor: Actor,
    provedor: Provedor,
    tarefa: TarefaDiaria,
    dia: Data,
  ): Promise<Andamento | Desfecho> {
    const agora = relogio.agora();
    const hoje = diaDaTarefa(provedor.fusoHorario, agora);
    if (dia > hojeEm(provedor.fusoHorario, agora)) throw new EntradaInvalida(`data: ${dia} ainda não começou`);
    return write(actor, provedor.id, async (w) => {
      const queries = createTarefasQueries(w, tarefa);
      await queries.travar();
      if (await queries.haPosterior(dia, hoje)) return 'superada';
      const andamento = await queries.buscar(dia);
      if (andamento?.concluida === true) return 'ja_feita';
      // Days to come were done by a clock that was ahead; what they left behind, this run overwrites.
      await queries.reabrir(somarDias(dia, 1));
      await queries.pararAnteriores(dia);
      if (andamento !== null) return andamento;
      await queries.comecar(dia, agora);
      return { cursor: null, linhas: 0, lotes: 0, concluida: false };
    });
  }

  /** Does what is left of the day, chunk by chunk; resolves to how far it came, which is the end. */
  async function percorrer<Linha, Lugar extends object>(
    trabalho: Trabalho<Linha, Lugar>,
    { actor, provedor, dia, de, tarefa }: Percurso,
    { signal, aoAvancar }: Execucao,
  ): Promise<Andamento> {
    const tenant = createTenantDb(db, provedor.id);
    let { linhas, lotes } = de;
    // What is kept of a task is what it gave as a place.
    let cursor = trabalho.retoma ? (de.cursor as Lugar | null) : null;
    const total = linhas + (await trabalho.contar(tenant, dia, cursor));
    let vistas = de.linhas;

    async function gravar(lote: readonly Linha[], ate: Lugar, numero: number, anterior: Promise<void>) {
      const escrever = await trabalho.preparar(tenant, provedor, dia, lote);
      await anterior;
      const mudadas = await write(actor, provedor.id, async (w) => {
        const feitas = await escrever(w);
        const queries = createTarefasQueries(w, tarefa);
        const seguiu = await queries.avancar(dia, {
          cursor: trabalho.retoma ? ate : null,
          linhas: linhas + feitas,
          lotes: numero,
        });
        if (!seguiu) throw new DeOutro();
        return feitas;
      });
      linhas += mudadas;
      vistas += lote.length;
      aoAvancar({ feitas: vistas, total: Math.max(total, vistas) });
    }

    // While a chunk is written, the next one is read and worked out. Two writers at a time spend more on each other than they gain.
    let penultimo = Promise.resolve();
    let ultimo = penultimo;
    try {
      for (;;) {
        signal.throwIfAborted();
        const { linhas: limite, descansoMs } = await ritmo(provedor.id, trabalho.esfria ?? false);
        const lote = await trabalho.proximas(tenant, dia, cursor, limite);
        const ultima = lote.at(-1);
        if (ultima === undefined) break;
        cursor = trabalho.lugar(ultima);
        [penultimo, ultimo] = [ultimo, gravar(lote, cursor, lotes, ultimo)];
        ultimo.catch(() => {});
        lotes += 1;
        await (descansoMs === 0 ? penultimo : ultimo);
        if (descansoMs > 0) await sleep(descansoMs, undefined, { signal });
      }
    } finally {
      await Promise.allSettled([penultimo, ultimo]);
    }
    await ultimo;
    return { cursor, linhas, lotes, concluida: true };
  }

  async function emLotes(trabalho: Trabalho, percurso: Percurso, execucao: Execucao): Promise<number> {
    const { linhas, lotes } = await percorrer(trabalho, percurso, execucao);
    const { actor, provedor, tarefa, dia } = percurso;
    await write(actor, provedor.id, async (w) => {
      if (!(await createTarefasQueries(w, tarefa).concluir(dia, lotes, relogio.agora()))) throw new DeOutro();
      if (linhas === 0) return;
      w.touch(...trabalho.etiquetas);
      w.emit(trabalho.evento, null, { dia, linhas });
    });
    return linhas;
  }

  /** Of two runs at the same time, the one that began last is the one that counts. */
  async function deUmaVez(
    trabalho: TrabalhoInteiro,
    { actor, provedor, tarefa, dia, de }: Percurso,
    execucao: Execucao,
  ): Promise<number> {
    async function andar(w: Write, linhas: number, lotes: number): Promise<void> {
      const seguiu = await createTarefasQueries(w, tarefa).avancar(dia, { cursor: null, linhas, lotes });
      if (!seguiu) throw new DeOutro();
    }
    await write(actor, provedor.id, async (w) => andar(w, 0, de.lotes));
    const entrega = await trabalho.fazer(actor, provedor, dia, execucao);
    const { linhas } = entrega;
    try {
      await write(actor, provedor.id, async (w) => {
        await andar(w, linhas, de.lotes + 1);
        if (!(await createTarefasQueries(w, tarefa).concluir(dia, de.lotes + 2, relogio.agora()))) throw new DeOutro();
        if (!(await entrega.gravar(w))) throw new DeOutro();
        w.emit(trabalho.evento, null, { dia, linhas });
      });
    } catch (error) {
      await entrega.desistir();
      throw error;
    }
    await entrega.depois();
    return linhas;
  }

  return {
    /** What is left to do of the day that it is for each provider. */
    async pendentes(): Promise<TarefaDoDia[]> {
      const agora = relogio.agora();
      const fusos = await fusosEmUso(db);
      return tarefasPendentes(
        db,
        fusos.map((fuso) => ({
          fuso,
          dia: diaDaTarefa(fuso, agora),
          hora: horaEm(fuso, agora),
        })),
      );
    },

    /**
     * Does what is left of a provider's day. Safe to run twice, at the same time too: of two runs, one stops.
     *
     * @throws EntradaInvalida when there is no such provider or the day has not begun there; `signal.reason` once aborted.
     */
    async executar(actor: Actor, { tarefa, provedorId, dia: texto }: TarefaPedida, execucao: Execucao): Promise<Feito> {
      const dia = lerData(texto);
      if (dia === null) throw new EntradaInvalida(`data: ${texto} não é uma data AAAA-MM-DD`);
      const de = await abrir(actor, await provedores.exigirPorId(provedorId), tarefa, dia);
      if (typeof de === 'string') return { desfecho: de, linhas: 0 };
      // Read now that the day is open: a change of its rules from here on finds it and makes it undone, and of one before, this knows.
      const provedor = await provedores.exigirPorId(provedorId);
      const percurso = { actor, provedor, tarefa, dia, de };
      try {
        const trabalho = trabalhos[tarefa];
        const linhas =
          'fazer' in trabalho
            ? await deUmaVez(trabalho, percurso, execucao)
            : await emLotes(trabalho, percurso, execucao);
        return { desfecho: 'concluida', linhas };
      } catch (error) {
        if (error instanceof DeOutro) return { desfecho: 'de_outro', linhas: 0 };
        throw error;
      }
    },

    /**
     * Tells staff that a day's tries are used up, once for each task and day, however often it fails again: it is tried anew until it
     * is done. One that is reopened after that is told of again.
     */
    async dizerQueFalhou(actor: Actor, { tarefa, provedorId, dia: texto }: TarefaPedida): Promise<void> {
      const dia = lerData(texto);
      if (dia === null) return;
      await write(actor, provedorId, async (w) => {
        const agora = relogio.agora();
        // Another run may have done it meanwhile.
        if ((await createTarefasQueries(w, tarefa).buscar(dia))?.concluida === true) return;
        if (!(await dizerUmaVez(w, falhaDe(tarefa, dia), agora))) return;
        const recursoId = Number(dia.replaceAll('-', ''));
        await tocarSino(w, [{ tipo: 'tarefa.falhou', origem: 'Tarefas', recurso: 'tarefa', recursoId }], agora);
        w.emit('tarefa.falhou', null, { tarefa, dia });
      });
    },
  };
}
