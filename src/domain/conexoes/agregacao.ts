import { hojeEm, somarDias } from '../../brazil/datas.ts';
import { toDatabaseTime } from '../../platform/database.ts';
import type { Db } from '../../platform/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/relogio.ts';
import { createAgregacaoQueries } from './agregacao.queries.ts';
import type { ConexaoRow, ContratoAfetadoRow, QuedasDoDiaRow } from './agregacao.queries.ts';
import type { SessaoInterpretada } from './conexoes.types.ts';
import { contarQuedas, interpretarSessao } from './sessoes.ts';

/** Local days whose drops are recomputed: the 30 that are shown and one more, where a burst may be cut in two. */
const DIAS_RECALCULADOS = 31;
const DIA_MS = 86_400_000;
/** Times that a transaction which lost a deadlock or waited too long for a lock is tried. */
const TENTATIVAS = 4;
const CONFLITOS: ReadonlySet<unknown> = new Set([1205, 1213]);

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

export type Agregacao = ReturnType<typeof createAgregacao>;

/**
 * Keeps `conexoes` and `quedas_diarias` in step with FreeRADIUS's `radacct`. Crosses tenants, by name and on purpose.
 *
 * Everything is recomputed from `radacct`, so running any of it again changes nothing, and the number of statements of
 * a batch does not depend on how much is in it.
 */
export function createAgregacao({ db, relogio, intervaloPadraoSegundos, aoMudar }: AgregacaoDeps) {
  async function recalcular(trx: Db, afetados: readonly ContratoAfetadoRow[]): Promise<void> {
    if (afetados.length === 0) return;
    const queries = createAgregacaoQueries(trx);
    // In the order of the key, so that two batches which share contracts wait instead of deadlocking.
    const contratos = afetados.toSorted((a, b) => a.provedor_id - b.provedor_id || a.contrato_id - b.contrato_id);
    await queries.reservar(contratos);

    const agora = relogio.agora();
    const ids = contratos.map(({ contrato_id }) => contrato_id);
    // One day more than the window, because local days begin at other instants than UTC's.
    const desde = new Date(agora.getTime() - (DIAS_RECALCULADOS + 1) * DIA_MS);
    const sessoes = groupBy(await queries.sessoes(ids, desde), doContrato);
    const gravadas = groupBy(await queries.quedasGravadas(ids, desde.toISOString().slice(0, 10)), doContrato);

    const conexoes: ConexaoRow[] = [];
    const gravar: QuedasDoDiaRow[] = [];
    const apagar: QuedasDoDiaRow[] = [];
    for (const { provedor_id, contrato_id, fuso_horario } of contratos) {
      const chave = { provedor_id, contrato_id };
      const lidas = (sessoes.get(contrato_id) ?? []).map((row) =>
        interpretarSessao(row, agora, intervaloPadraoSegundos),
      );
      conexoes.push({ ...chave, ...situacaoDe(lidas) });

      const primeiroDia = somarDias(hojeEm(fuso_horario, agora), 1 - DIAS_RECALCULADOS);
      const quedas = new Map<string, number>(
        [...contarQuedas(lidas, fuso_horario)].filter(([dia]) => dia >= primeiroDia),
      );
      for (const row of gravadas.get(contrato_id) ?? []) {
        if (quedas.get(row.dia) === row.quedas) quedas.delete(row.dia);
        else if (!quedas.has(row.dia) && row.dia >= primeiroDia) apagar.push(row);
      }
      for (const [dia, total] of quedas) gravar.push({ ...chave, dia, quedas: total });
    }
    await queries.gravarQuedas(gravar);
    await queries.apagarQuedas(apagar);
    await queries.gravarConexoes(conexoes);
    await aoMudar?.(
      trx,
      contratos.map((row) => ({
        provedorId: row.provedor_id,
        contratoId: row.contrato_id,
        clienteId: row.cliente_id,
      })),
    );
  }

  return {
    /**
     * Takes up to `limite` recorded changes of `radacct` and recomputes their contracts, in one transaction.
     *
     * @returns the changes taken (fewer than `limite`: none are left that nobody holds) and the contracts recomputed.
     */
    async agregarMudancas(limite = 1000): Promise<{ mudancas: number; contratos: number }> {
      return emTransacao(db, async (trx) => {
        const queries = createAgregacaoQueries(trx);
        const ids = await queries.tomarMudancas(limite);
        if (ids.length === 0) return { mudancas: 0, contratos: 0 };
        const afetados = await queries.contratosDasMudancas(ids);
        await recalcular(trx, afetados);
        await queries.apagarMudancas(ids);
        return { mudancas: ids.length, contratos: afetados.length };
      });
    },

    /**
     * Recomputes every contract of a provider that has a login and a session or a record, a chunk a transaction: after
     * a bulk load, or when the provider's NASes changed.
     */
    async agregarTudo(provedorId: number, porLote = 1000): Promise<{ contratos: number }> {
      let contratos = 0;
      let ultimo = 0;
      let lote: ContratoAfetadoRow[];
      do {
        const depoisDe = ultimo;
        lote = await emTransacao(db, async (trx) => {
          const rows = await createAgregacaoQueries(trx).contratosDoProvedor(provedorId, depoisDe, porLote);
          await recalcular(trx, rows);
          return rows;
        });
        contratos += lote.length;
        ultimo = lote.at(-1)?.contrato_id ?? ultimo;
      } while (lote.length === porLote);
      return { contratos };
    },

    /**
     * Counts the drop of sessions that went stale since their contract was last recomputed, of up to `limite`
     * contracts. Their record then says that no session is open, so each is found once.
     */
    async agregarParadas(limite = 1000): Promise<{ contratos: number }> {
      return emTransacao(db, async (trx) => {
        const queries = createAgregacaoQueries(trx);
        const parados = await queries.contratosParados(relogio.agora(), limite);
        await recalcular(trx, parados);
        return { contratos: parados.length };
      });
    },
  };
}

/** What the record keeps: of the open sessions, the one that would be the last to go stale. */
function situacaoDe(sessoes: readonly SessaoInterpretada[]): Pick<ConexaoRow, 'ouvida_em' | 'intervalo_segundos'> {
  let ultima: { ouvidaEm: Date; intervaloSegundos: number; validade: number } | undefined;
  for (const { aberta, ouvidaEm, intervaloSegundos } of sessoes) {
    if (!aberta || ouvidaEm === null) continue;
    const validade = ouvidaEm.getTime() + 2000 * intervaloSegundos;
    if (ultima === undefined || validade > ultima.validade) ultima = { ouvidaEm, intervaloSegundos, validade };
  }
  if (ultima === undefined) return { ouvida_em: null, intervalo_segundos: null };
  return { ouvida_em: toDatabaseTime(ultima.ouvidaEm), intervalo_segundos: ultima.intervaloSegundos };
}

const doContrato = ({ contrato_id }: { contrato_id: number }): number => contrato_id;

async function emTransacao<T>(db: Db, fazer: (trx: Db) => Promise<T>): Promise<T> {
  for (let tentativa = 1; ; tentativa++) {
    try {
      return await db.transaction(fazer, { isolationLevel: 'read committed' });
    } catch (error) {
      const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
      if (tentativa === TENTATIVAS || !CONFLITOS.has(errno)) throw error;
    }
  }
}
