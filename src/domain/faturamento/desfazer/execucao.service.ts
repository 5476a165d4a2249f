import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from '../../../platform/mysql/conflicts.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { emMudanca } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { DeOutro } from '../pedidos/caso.ts';
import type { Caso } from '../pedidos/caso.ts';
import { SEM_FALHA, escreverErro } from '../pedidos/falhas.service.ts';
import { travarPedido } from '../pedidos/pedidos.queries.ts';
import type { PedidoDeFaturamento } from '../pedidos/pedidos.queries.ts';
import { faturasDaVez } from './faturas.queries.ts';
import { recomecarMeses } from './ordem.service.ts';
import { FATURAS_POR_PARTE, NADA_DESFEITO, desfazerParte, soltarCobrancas, somarParte } from './partes.service.ts';
import type { ResultadoDoDesfazer } from './partes.service.ts';

export interface ExecucaoDoDesfazerDeps {
  readonly write: WriteFor;
  readonly relogio: Relogio;
  /** After each part: none where nobody else waits for this process. */
  readonly descansoMs: () => number;
}

/** How far an undoing has come: the last invoice that was looked at, how many were, and what has become of them. */
interface Lugar {
  readonly fatura: number;
  readonly vistos: number;
  readonly feito: ResultadoDoDesfazer;
  /** The same of what is written. After it come invoices that failed, and are left together with the next one that is cancelled. */
  readonly escrita: number;
  /** How many of them failed. */
  readonly seguidas: number;
}

/** At which invoice a step is, also once it has failed; null: at none, or at the last step. */
interface Olhada {
  proxima: number | null;
}

/** So many that fail one after the other fail by something else: then none of them is left. */
const MAIS_SEGUIDAS = 20;

const vezDo = ({ faturamentoId }: PedidoDeFaturamento): number => faturamentoId ?? 0;

const lugarDo = ({ ultimaFatura, vistos, desfeito }: PedidoDeFaturamento): Lugar => ({
  fatura: ultimaFatura,
  vistos,
  feito: desfeito ?? NADA_DESFEITO,
  escrita: ultimaFatura,
  seguidas: 0,
});

/** After an invoice that stays as it is. */
function depoisDaQueFicou({ vistos, feito, escrita, seguidas }: Lugar, fatura: number, error: unknown): Lugar {
  const ficam = new Map([[fatura, `não se conseguiu cancelar (${escreverErro(error).replace(/\.$/, '')})`]]);
  const somado = somarParte(feito, { canceladas: 0, ficam });
  return { fatura, vistos: vistos + 1, feito: somado, escrita, seguidas: seguidas + 1 };
}

/** @throws DeOutro where another run has gone further, or has ended it */
async function travarNoLugar(w: Write, { id }: PedidoDeFaturamento, { escrita }: Lugar): Promise<void> {
  const travado = await travarPedido(w, id);
  if (travado?.terminadoEm !== null || travado.ultimaFatura !== escrita) throw new DeOutro();
}

/** The next invoice; null where none is left. */
async function proximaFatura(w: Write, pedido: PedidoDeFaturamento, { fatura }: Lugar): Promise<number | null> {
  const [proxima] = await faturasDaVez(w, vezDo(pedido), { depoisDe: fatura, limite: 1, travar: false });
  return proxima?.id ?? null;
}

/** Writes how far it has come, in the transaction that goes so far. */
async function anotarLugar(w: Write, id: number, ate: Lugar, { agora, fim }: { agora: Date; fim: boolean }) {
  await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
    lugar: JSON.stringify({ fatura: ate.fatura }),
    vistos: ate.vistos,
    resultado: JSON.stringify(ate.feito),
    terminado_em: fim ? toDatabaseTime(agora) : null,
    ...SEM_FALHA,
    andou_em: toDatabaseTime(agora),
  });
}

/** Whether what an undoing failed by is of what it undoes: it is neither over by itself in a while nor another run's. */
const eDoQueDesfaz = (error: unknown, { signal }: Caso): boolean =>
  !(error instanceof DeOutro || emMudanca(error) || isPassing(error) || signal.aborted);

/** Takes runs back by order, part by part. */
export function createExecucaoDoDesfazer({ write, relogio, descansoMs }: ExecucaoDoDesfazerDeps) {
  /** Cancels the next invoices; the last step is the one that finds none left, and lets the charges go. */
  async function dar(
    { actor, provedor, pedido }: Caso,
    aqui: Lugar,
    { limite, olhada }: { readonly limite: number; readonly olhada: Olhada },
  ): Promise<{ fim: boolean; ate: Lugar }> {
    return write(actor, provedor.id, async (w) => {
      olhada.proxima = await proximaFatura(w, pedido, aqui);
      const fim = olhada.proxima === null;
      // What charges, or undoes another run, reads the charges that are let go: it comes before or after, never beside.
      if (fim) await esperarAVez(w.tenant);
      await travarNoLugar(w, pedido, aqui);
      const agora = relogio.agora();
      if (fim) {
        await soltarCobrancas(w, vezDo(pedido), aqui.feito.desfeitas, agora);
        await anotarLugar(w, pedido.id, aqui, { agora, fim });
        return { fim, ate: aqui };
      }
      const parte = await desfazerParte(w, vezDo(pedido), { depoisDe: aqui.fatura, limite, agora });
      const fatura = parte.ultima ?? aqui.fatura;
      const ate = { fatura, vistos: aqui.vistos + parte.vistas, feito: somarParte(aqui.feito, parte) };
      // Where none was cancelled, nothing shows that those before it failed by themselves: it is looked at again with them.
      if (aqui.seguidas > 0 && parte.canceladas === 0) return { fim, ate: { ...aqui, ...ate } };
      const escrito = { ...ate, escrita: fatura, seguidas: 0 };
      await anotarLugar(w, pedido.id, escrito, { agora, fim });
      return { fim, ate: escrito };
    });
  }

  return {
    /**
     * Takes a run back. Once staff have given up what cannot be undone, a part that fails is halved until single invoices do, which stay, each
     * with why, as soon as one after them is cancelled, or the charges are let go. Where so many fail one after the other that it is by
     * something else, or the last step does, all of it fails.
     */
    async executar(caso: Caso): Promise<void> {
      const { actor, provedor, pedido, signal, aoAvancar } = caso;
      const total = pedido.total ?? 0;
      await write(actor, provedor.id, async (w) => recomecarMeses(w));
      const desistiu = pedido.desistidoPor !== null;
      let aqui = lugarDo(pedido);
      // Where a run has died, the next one that dies is to leave no doubt at which invoice.
      const maior = desistiu && pedido.tentativas > 0 ? 1 : FATURAS_POR_PARTE;
      let limite = maior;
      for (let fim = false; !fim;) {
        signal.throwIfAborted();
        const olhada: Olhada = { proxima: null };
        try {
          ({ fim, ate: aqui } = await dar(caso, aqui, { limite, olhada }));
        } catch (error) {
          if (!desistiu || olhada.proxima === null || !eDoQueDesfaz(error, caso)) throw error;
          if (limite > 1) {
            limite = Math.ceil(limite / 2);
            continue;
          }
          aqui = depoisDaQueFicou(aqui, olhada.proxima, error);
          if (aqui.seguidas === MAIS_SEGUIDAS) throw demais(error);
        }
        limite = Math.min(maior, limite * 2);
        aoAvancar({ feitas: aqui.vistos, total: Math.max(total, aqui.vistos) });
        if (!fim) await sleep(descansoMs());
      }
    },

    /**
     * Leaves the next invoice of what was given up, at which one process after the other has died.
     *
     * @returns false where none is left: then it is at the last step that they died
     */
    async deixarProxima({ actor, provedor, pedido }: Caso, error: Error): Promise<boolean> {
      const aqui = lugarDo(pedido);
      return write(actor, provedor.id, async (w) => {
        const proxima = await proximaFatura(w, pedido, aqui);
        if (proxima === null) return false;
        await travarNoLugar(w, pedido, aqui);
        const ate = depoisDaQueFicou(aqui, proxima, error);
        await anotarLugar(w, pedido.id, ate, { agora: relogio.agora(), fim: false });
        return true;
      });
    },
  };
}

function demais(error: unknown): Error {
  const porque = escreverErro(error).replace(/\.$/, '');
  return new Error(`${MAIS_SEGUIDAS} faturas seguidas não se conseguiram cancelar (${porque})`, { cause: error });
}
