import { setTimeout as sleep } from 'node:timers/promises';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { aPedidoDe } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { requisicaoDoPedido } from '../../auditoria/requisicao.service.ts';
import { EntradaInvalida, emMudanca } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Resumos } from '../../usuarios/senha/resumos.service.ts';
import { buscarImportacao, proximaPedida, travarImportacao } from '../importacoes.queries.ts';
import type { Importacao } from '../importacoes.types.ts';
import type { Andamento } from './andamento.types.ts';
import { aplicarRede } from './aplicar-rede.ts';
import { desfazer } from './desfazer.ts';
import { executar } from './executar.ts';
import { simular } from './simular.ts';

export type ExecucaoDeImportacoesService = ReturnType<typeof createExecucaoDeImportacoesService>;

export interface ExecucaoDeImportacoesDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly resumos: Pick<Resumos, 'fazer'>;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  /** After each lot: none where nobody else waits for this process. */
  readonly descansoMs: () => number;
}

interface Opcoes {
  readonly signal: AbortSignal;
  readonly aoAvancar: (progresso: { readonly feitas: number; readonly total: number }) => void;
}

const ACOES = { simular, executar, desfazer, aplicar_rede: aplicarRede } as const;
const MAIOR_MOTIVO = 500;
/** How often an action is begun in one run when something unexpected stops it. */
const TENTATIVAS = 3;

/** Does what was asked for imports. */
export function createExecucaoDeImportacoesService(deps: ExecucaoDeImportacoesDeps) {
  const { db, write, relogio, segredos, resumos, provedores, descansoMs } = deps;

  /** What will not be better for being tried again, such as a file that cannot be read any further: its action is over, and says why. */
  async function encerrarPor(
    motivo: string,
    actor: Actor,
    provedor: Provedor,
    { id, acao }: Importacao,
  ): Promise<void> {
    await write(actor, provedor.id, async (w) => {
      const agora = await travarImportacao(w, id);
      if (agora?.acao !== acao) return;
      await w.update('importacoes', (q) => void q.where({ id }), {
        acao: null,
        motivo: motivo.slice(0, MAIOR_MOTIVO),
        terminada_em: toDatabaseTime(relogio.agora()),
      });
    });
  }

  return {
    /**
     * Does all that was asked for of a provider's imports, the oldest first. Who is interrupted goes on where it was: each lot is written
     * together with how far it has come. What fails in one stops that one, which says so and can be asked for again; the others go on.
     *
     * @throws the first unexpected failure, when all is done that could be
     */
    async executarPedidas(
      porQuem: Actor,
      provedorId: number,
      { signal, aoAvancar }: Opcoes,
    ): Promise<{ importacoes: number; linhas: number }> {
      const tenant = createTenantDb(db, provedorId);
      let importacoes = 0;
      let linhas = 0;
      const falhas = new Map<number, number>();
      const inesperadas: unknown[] = [];
      for (;;) {
        const pedida = await proximaPedida(tenant);
        if (pedida?.acao === undefined || pedida.acao === null) {
          if (inesperadas.length > 0) throw inesperadas[0];
          return { importacoes, linhas };
        }
        // Of each anew: while thousands of clients come in, somebody makes the account that their invoices name.
        const provedor = await provedores.exigirPorId(provedorId);
        const actor = aPedidoDe(porQuem, await requisicaoDoPedido(tenant, 'importacao.pedida', pedida.id));
        const andamento: Andamento = {
          db,
          write,
          relogio,
          segredos,
          resumos,
          actor,
          provedor,
          async avancou({ linhas: total }, feitas) {
            aoAvancar({ feitas, total: Math.max(total, feitas) });
            signal.throwIfAborted();
            const descanso = descansoMs();
            if (descanso > 0) await sleep(descanso);
          },
        };
        try {
          linhas += await ACOES[pedida.acao](pedida, andamento);
        } catch (error) {
          if (signal.aborted || emMudanca(error)) throw error;
          if (error instanceof EntradaInvalida) await encerrarPor(error.message, actor, provedor, pedida);
          else {
            const vezes = (falhas.get(pedida.id) ?? 0) + 1;
            falhas.set(pedida.id, vezes);
            // A database that is away fails the next reading, too, and the job is tried again as it is.
            if (vezes < TENTATIVAS) continue;
            inesperadas.push(error);
            await encerrarPor(falhaInesperada(error), actor, provedor, pedida);
          }
        }
        importacoes += 1;
        // Another run of the same may have done the rest, or be about to: this one leaves it.
        if ((await buscarImportacao(tenant, pedida.id))?.acao === pedida.acao) return { importacoes, linhas };
      }
    },
  };
}

/** In words for an operator; of the error its code alone, for texts of the database quote values. */
function falhaInesperada(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const qual = [code, name].flatMap((dito) => (typeof dito === 'string' && /^\w{1,60}$/.test(dito) ? [dito] : []))[0];
  return `falha inesperada (${qual ?? 'sem código'}): o que já se fez está feito; o registro do worker diz mais. Peça de novo para continuar`;
}
