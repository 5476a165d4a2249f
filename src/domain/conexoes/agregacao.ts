import type { Db } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createAgregacaoQueries } from './agregacao.queries.ts';
import type { ChaveDeContrato } from './agregacao.types.ts';
import { createJanelas, createDiferencas, inicioDaJanela } from './diferencas.ts';
import { createHorasDoNasQueries } from './horas/horas.queries.ts';
import { inicioDaHora } from './horas/horas.regras.ts';
import { inQueueTransaction } from '../../platform/mysql/bulk/queue-transaction.ts';

/** Changes and contracts of a run that finds no backlog, and the contracts of any transaction. */
const POR_LOTE = 1000;
/** Changes that one transaction of a backlog marks: the more, the fewer contracts are marked again by the next. */
const MUDANCAS_POR_VEZ = 250_000;
const MAIOR_RODADA = 1_000_000;
/** Transactions at a time that work off a backlog. */
const FAIXAS = 2;

/** A contract whose connection, drops or sessions may have changed. */
export interface ContratoAfetado {
  readonly provedorId: number;
  readonly contratoId: number;
  readonly clienteId: number;
}

export interface AgregacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly intervaloPadraoSegundos: number;
  /** Hears of the affected contracts inside the transaction, so that what it writes commits with them. */
  readonly aoMudar?: (trx: Db, contratos: readonly ContratoAfetado[]) => Promise<void>;
}

/** Which of a provider's contracts, and how many at a time. */
interface Trecho {
  readonly depoisDe?: number;
  readonly porLote?: number;
  readonly signal?: AbortSignal;
}

export type Agregacao = ReturnType<typeof createAgregacao>;

/**
 * Keeps `conexoes` and `quedas_diarias` in step with FreeRADIUS's `radacct`. Crosses tenants, by name and on purpose.
 *
 * What changed is first marked by contract in `conexoes_pendentes`, in the transaction that deletes the changes; then the
 * marked contracts are recomputed, some at a time, in the transaction that deletes their marks. So a backlog recomputes a
 * contract once, and a process that dies loses the transaction it was in and no more. Everything is recomputed from `radacct`, so
 * running any of it again changes nothing, and the number of statements of a transaction does not depend on how much is in it.
 */
export function createAgregacao({ db, relogio, intervaloPadraoSegundos, aoMudar }: AgregacaoDeps) {
  const janela = createJanelas();

  /** Takes up to `limite` changes and marks their contracts; resolves to how many changes there were. */
  async function marcarMudancas(limite: number, vez: Vez): Promise<number> {
    return inQueueTransaction(db, async (trx) => {
      const queries = createAgregacaoQueries(trx);
      const tomadas = await vez(() => queries.tomarMudancas(limite));
      if (tomadas.total > 0) {
        await queries.marcarDasMudancas(tomadas);
        await queries.apagarMudancas(tomadas);
      }
      return tomadas.total;
    });
  }

  /** Recomputes the next marked contracts; resolves to how many there were. */
  async function recalcularLote(esperar?: { readonly provedorId: number }): Promise<number> {
    return inQueueTransaction(db, async (trx) => {
      const queries = createAgregacaoQueries(trx);
      const chaves = await queries.tomarPendentes(POR_LOTE, esperar);
      if (chaves.length > 0) {
        await recalcular(trx, chaves);
        await queries.apagarPendentes(chaves);
      }
      return chaves.length;
    });
  }

  /** @param chaves of contracts whose marks the transaction holds. */
  async function recalcular(trx: Db, chaves: readonly ChaveDeContrato[]): Promise<void> {
    const queries = createAgregacaoQueries(trx);
    const agora = relogio.agora();
    const desde = inicioDaJanela(agora);
    const contratos = await queries.contratos(chaves);
    const sessoes = await queries.sessoes(chaves, desde);
    const quedas = groupBy(await queries.quedasGravadas(chaves, desde.toISOString().slice(0, 10)), doContrato);

    const recalculo = createDiferencas(agora, intervaloPadraoSegundos, janela);
    for (const contrato of contratos) {
      const { contrato_id: id } = contrato;
      recalculo.recalcular(contrato, sessoes.get(id) ?? [], quedas.get(id) ?? []);
    }
    await queries.gravarQuedas(recalculo.diferencas.gravarQuedas);
    await queries.apagarQuedas(recalculo.diferencas.apagarQuedas);
    const servidores = createHorasDoNasQueries(trx);
    await servidores.gravarConexoes(recalculo.diferencas.gravarConexoes);
    await servidores.somarHoras(recalculo.horas());
    await servidores.somarMinutos(recalculo.minutos(), agora);
    const afetados = contratos.map(({ provedor_id, contrato_id, cliente_id }) => ({
      provedorId: provedor_id,
      contratoId: contrato_id,
      clienteId: cliente_id,
    }));
    if (afetados.length > 0) await aoMudar?.(trx, afetados);
  }

  /** Recomputes marked contracts until none is left that nobody else holds, or as many as fit one run. */
  async function recalcularPendentes(signal?: AbortSignal): Promise<number> {
    let contratos = await recalcularLote();
    if (contratos < POR_LOTE) return contratos;
    await emFaixas(async () => {
      const lote = await recalcularLote();
      contratos += lote;
      return lote === POR_LOTE && contratos < MAIOR_RODADA;
    }, signal);
    return contratos;
  }

  async function marcar(contratos: readonly ChaveDeContrato[]): Promise<void> {
    if (contratos.length > 0) await inQueueTransaction(db, (trx) => createAgregacaoQueries(trx).marcar(contratos));
  }

  return {
    /**
     * Takes up to `limite` recorded changes of `radacct`, and recomputes their contracts and those that an earlier run left marked.
     *
     * @param signal ends it early; what is left stays recorded or marked.
     * @returns the changes taken (fewer than `limite`: none are left that nobody holds) and the contracts recomputed.
     */
    async agregarMudancas(
      limite = MAIOR_RODADA,
      signal?: AbortSignal,
    ): Promise<{ mudancas: number; contratos: number }> {
      const vez = createVez();
      const primeiras = Math.min(limite, POR_LOTE);
      let mudancas = await marcarMudancas(primeiras, vez);
      if (mudancas === primeiras) {
        let restam = limite - mudancas;
        await emFaixas(async () => {
          const pedidas = Math.min(restam, MUDANCAS_POR_VEZ);
          restam -= pedidas;
          const tomadas = pedidas === 0 ? 0 : await marcarMudancas(pedidas, vez);
          mudancas += tomadas;
          return tomadas === MUDANCAS_POR_VEZ && restam > 0;
        }, signal);
      }
      return { mudancas, contratos: await recalcularPendentes(signal) };
    },

    /**
     * Recomputes every contract of a provider that has a login and a session or a record: after a bulk load, or when the
     * provider's NASes changed.
     *
     * @param onde.depoisDe only contracts with higher ids.
     * @param onde.signal ends it after the batch that is under way.
     * @returns how many, and the id after which one goes on.
     */
    async agregarTudo(
      provedorId: number,
      { depoisDe = 0, porLote = POR_LOTE, signal }: Trecho = {},
    ): Promise<{ contratos: number; ultimo: number }> {
      const parar = (): boolean => signal?.aborted === true;
      let contratos = 0;
      let ultimo = depoisDe;
      let lote: ChaveDeContrato[];
      do {
        if (parar()) break;
        lote = await createAgregacaoQueries(db).contratosDoProvedor(provedorId, ultimo, porLote);
        await marcar(lote);
        contratos += lote.length;
        ultimo = lote.at(-1)?.contrato_id ?? ultimo;
        // What is left marked by a stop, the next run of any worker recomputes.
        while (!parar() && (await recalcularLote({ provedorId })) > 0);
      } while (lote.length === porLote);
      return { contratos, ultimo };
    },

    /**
     * Counts the drop of sessions that went stale since their contract was last recomputed, of up to `limite`
     * contracts. Their record then says that no session is open, so each is found once.
     */
    async agregarParadas(limite = POR_LOTE, signal?: AbortSignal): Promise<{ contratos: number }> {
      const parados = await createAgregacaoQueries(db).contratosParados(relogio.agora(), limite);
      await marcar(parados);
      await recalcularPendentes(signal);
      return { contratos: parados.length };
    },

    /** Measures how many are online at each server, for the hour that it is. */
    async medirOnline(): Promise<void> {
      const hora = inicioDaHora(relogio.agora().getTime());
      await inQueueTransaction(db, async (trx) => createHorasDoNasQueries(trx).medirOnline(hora));
    },
  };
}

const doContrato = ({ contrato_id }: { contrato_id: number }): number => contrato_id;

/** Runs one piece of work after another. */
type Vez = <T>(trabalho: () => Promise<T>) => Promise<T>;

/** Takes of one process follow one another: side by side, each would get ids with the other's between them. */
function createVez(): Vez {
  let ultimo: Promise<unknown> = Promise.resolve();
  return (trabalho) => {
    const este = ultimo.then(trabalho);
    ultimo = este.catch(() => undefined);
    return este;
  };
}

/** Does pieces of work side by side until one says that there is no more; waits for all, also when one fails. */
async function emFaixas(fazer: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  let mais = true;
  const parar = (): boolean => !mais || signal?.aborted === true;
  async function uma(): Promise<void> {
    try {
      while (!parar()) mais = (await fazer()) && mais;
    } finally {
      // Also when it fails: what the others have begun is enough.
      mais = false;
    }
  }
  const faixas = await Promise.allSettled(Array.from({ length: FAIXAS }, uma));
  for (const faixa of faixas) if (faixa.status === 'rejected') throw faixa.reason;
}
