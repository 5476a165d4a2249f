import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { ChaveComProvedor } from '../chaves.types.ts';
import type { UsoDoDia } from './uso.queries.ts';

export type ContagemDeUso = ReturnType<typeof createContagemDeUso>;

export interface ContagemDeps {
  readonly relogio: Relogio;
  /** Adds to what is stored. */
  readonly somar: (usos: readonly UsoDoDia[]) => Promise<void>;
  /** The most keys, and rows that wait for the database, that are remembered. What comes beyond is not counted. */
  readonly maximo?: number;
}

/** A key of which this process has heard since the last minute. */
interface Contado {
  provedor: Provedor;
  pedidos: number;
}

const MAXIMO = 50_000;
/** Rows of one statement. */
const POR_COMANDO = 1000;

/**
 * How much each key is used. At the door a number grows in memory; what stands there is stored once a minute and when the process ends.
 * While the database is away it waits, by key and day, and is added later. A process that dies takes up to a minute of it along, and of a
 * statement whose answer was lost nobody knows whether it counted: it is added again. Nobody is billed by it.
 */
export function createContagemDeUso({ relogio, somar, maximo = MAXIMO }: ContagemDeps) {
  const contados = new Map<number, Contado>();
  const porGravar = new Map<string, UsoDoDia>();
  let gravando: Promise<void> = Promise.resolve();

  /** Moves what was counted to what is to be stored, as of now; a key that was not used since goes. */
  function recolher(): void {
    const agora = relogio.agora();
    const dias = new Map<string, Data>();
    for (const [chaveId, contado] of contados) {
      const { provedor, pedidos } = contado;
      const { id: provedorId, fusoHorario } = provedor;
      if (pedidos === 0) {
        contados.delete(chaveId);
        continue;
      }
      const dia = dias.get(fusoHorario) ?? hojeEm(fusoHorario, agora);
      dias.set(fusoHorario, dia);
      const nome = `${chaveId} ${dia}`;
      const antes = porGravar.get(nome)?.pedidos ?? 0;
      if (antes === 0 && porGravar.size >= maximo) continue;
      porGravar.set(nome, { provedorId, chaveId, dia, pedidos: antes + pedidos, ultimoEm: agora });
      contado.pedidos = 0;
    }
  }

  async function gravarLotes(): Promise<void> {
    // In one order, so that of two processes that store at the same time neither waits for the other's rows in turn.
    const todos = [...porGravar].toSorted(([, a], [, b]) => a.provedorId - b.provedorId || a.chaveId - b.chaveId);
    for (let n = 0; n < todos.length; n += POR_COMANDO) {
      const lote = todos.slice(n, n + POR_COMANDO);
      await somar(lote.map(([, uso]) => uso));
      for (const [nome] of lote) porGravar.delete(nome);
    }
  }

  return {
    /** Counts a request. Called for each that is admitted: of a key that was seen in this minute it makes nothing new. */
    contar: ({ chave, provedor }: ChaveComProvedor): void => {
      const contado = contados.get(chave.id);
      if (contado !== undefined) {
        contado.pedidos += 1;
        // Its zone may be another since.
        contado.provedor = provedor;
      } else if (contados.size < maximo) contados.set(chave.id, { provedor, pedidos: 1 });
    },

    /** Stores what was counted. @throws where the database is away; what was counted then waits for the next time */
    gravar: async (): Promise<void> => {
      // What one run takes along, the next must not take again.
      const anterior = gravando.catch(() => {});
      gravando = anterior.then(async () => {
        recolher();
        await gravarLotes();
      });
      return gravando;
    },
  };
}
