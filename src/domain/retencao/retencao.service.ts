import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { ExpiracaoDeExtratosService } from '../extratos/expiracao.service.ts';
import type { ConclusaoDeApagamentosService } from '../privacidade/apagamento/conclusao.service.ts';
import { createTentativas } from '../por-provedor.ts';
import { encerrarSilenciosos } from '../registros/silencio.service.ts';
import { apagarAntigas } from './retencao.queries.ts';
import { GUARDAS } from './retencao.types.ts';

export type RetencaoService = ReturnType<typeof createRetencaoService>;

export interface RetencaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  /** Whose files go by their own count of days. */
  readonly extratos: Pick<ExpiracaoDeExtratosService, 'expirar'>;
  /** Persons of whom the law has something kept for a time. */
  readonly apagamentos: Pick<ConclusaoDeApagamentosService, 'concluir'>;
}

const HORA_MS = 3_600_000;
const POR_LOTE = 500;
/** After each chunk: there is an hour for it, and others have work of their own. */
const DESCANSO_MS = 20;

/** Deletes what is kept for a time once that time is over. */
export function createRetencaoService({ db, relogio, extratos, apagamentos }: RetencaoDeps) {
  return {
    /**
     * Resolves to the rows deleted, by table, the extracts whose files were, and the persons of whom more was erased; ends early, with what
     * it did, once aborted.
     *
     * @throws AggregateError in the end, where it failed for some providers: what the law sets a day for waits for nobody's files
     */
    async limpar(actor: Actor, signal: AbortSignal): Promise<Readonly<Record<string, number>>> {
      const apagadas: Record<string, number> = {};
      // Their time begins with their end.
      apagadas['registros_encerrados'] = await encerrarSilenciosos(db, relogio.agora(), signal);
      for (const guarda of GUARDAS) {
        const ate = new Date(relogio.agora().getTime() - guarda.horas * HORA_MS);
        let total = 0;
        while (!signal.aborted) {
          const doLote = await apagarAntigas(db, guarda, ate, POR_LOTE);
          total += doLote;
          if (doLote < POR_LOTE) break;
          await sleep(DESCANSO_MS);
        }
        apagadas[guarda.tabela] = total;
      }
      const partes = createTentativas();
      apagadas['extratos_removidos'] = await partes.tentar('extratos', async () => extratos.expirar(actor, signal), 0);
      apagadas['titulares_apagados'] = await partes.tentar(
        'titulares',
        async () => apagamentos.concluir(actor, signal),
        0,
      );
      partes.terminar();
      return apagadas;
    },
  };
}
