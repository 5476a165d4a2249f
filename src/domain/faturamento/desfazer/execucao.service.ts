import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing } from '../../../platform/mysql/conflicts.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { emMudanca } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { DeOutro } from '../pedidos/caso.ts';
import type { Caso } from '../pedidos/caso.ts';
import { SEM_FALHA } from '../pedidos/falhas.service.ts';
import { travarPedido } from '../pedidos/pedidos.queries.ts';
import type { PedidoDeFaturamento } from '../pedidos/pedidos.queries.ts';
import { faturasDaVez } from './faturas.queries.ts';
import { recomecarMeses } from './ordem.service.ts';
import {
  MAIS_MORTAS,
  MAIS_SEGUIDAS,
  deixarTodas,
  depoisDaParte,
  depoisDaQueFicou,
  lugarDaMorte,
  lugarDo,
  paraLugar,
  paraLugarOlhando,
  porqueNaoFicam,
} from './lugar.regras.ts';
import type { Lugar } from './lugar.regras.ts';
import { FATURAS_POR_PARTE, desfazerParte, soltarCobrancas } from './partes.service.ts';

export interface ExecucaoDoDesfazerDeps {
  readonly write: WriteFor;
  readonly relogio: Relogio;
  /** After each part: none where nobody else waits for this process. */
  readonly descansoMs: () => number;
}

/** At which invoice a step is, also once it has failed; null: at none, or at the last step. */
interface Olhada {
  proxima: number | null;
}

const vezDo = ({ faturamentoId }: PedidoDeFaturamento): number => faturamentoId ?? 0;

/** @throws DeOutro where another run has gone further, or has ended it */
async function travarNoLugar(w: Write, { id }: PedidoDeFaturamento, { escrito }: Lugar): Promise<void> {
  const travado = await travarPedido(w, id);
  if (travado?.terminadoEm !== null || travado.ultimaFatura !== escrito.fatura) throw new DeOutro();
}

/** The next invoice; null where none is left. */
async function proximaFatura(w: Write, pedido: PedidoDeFaturamento, { aqui }: Lugar): Promise<number | null> {
  const [proxima] = await faturasDaVez(w, vezDo(pedido), { depoisDe: aqui.fatura, limite: 1, travar: false });
  return proxima?.id ?? null;
}

/** Writes how far it has come, in the transaction that goes so far. */
async function anotarLugar(w: Write, id: number, ate: Lugar, { agora, fim }: { agora: Date; fim: boolean }) {
  await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
    lugar: paraLugar(ate),
    vistos: ate.escrito.vistos,
    resultado: JSON.stringify(ate.escrito.feito),
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
    lugar: Lugar,
    { limite, olhada }: { readonly limite: number; readonly olhada: Olhada },
  ): Promise<{ fim: boolean; ate: Lugar }> {
    return write(actor, provedor.id, async (w) => {
      olhada.proxima = await proximaFatura(w, pedido, lugar);
      const fim = olhada.proxima === null;
      if (fim && lugar.seguidas > 1 && lugar.erro !== null && !pedido.mesmoSeguidas) throw porqueNaoFicam(lugar);
      // What charges, or undoes another run, reads the charges that are let go: it comes before or after, never beside.
      if (fim) await esperarAVez(w.tenant);
      await travarNoLugar(w, pedido, lugar);
      const agora = relogio.agora();
      if (fim) {
        const ate = deixarTodas(lugar);
        await soltarCobrancas(w, vezDo(pedido), ate.aqui.feito.desfeitas, agora);
        await anotarLugar(w, pedido.id, ate, { agora, fim });
        return { fim, ate };
      }
      const parte = await desfazerParte(w, vezDo(pedido), { depoisDe: lugar.aqui.fatura, limite, agora });
      const ate = depoisDaParte(lugar, parte);
      // Else it is looked at again with those before it, unless these are noted.
      if (ate.seguidas === ate.anotadas) await anotarLugar(w, pedido.id, ate, { agora, fim });
      return { fim, ate };
    });
  }

  /** Leaves for good what was left so far. */
  async function deixar({ actor, provedor, pedido }: Caso, de: Lugar, ate: Lugar): Promise<void> {
    await write(actor, provedor.id, async (w) => {
      await travarNoLugar(w, pedido, de);
      await anotarLugar(w, pedido.id, ate, { agora: relogio.agora(), fim: false });
    });
  }

  /** Notes whence the next step goes on, so that its death is not taken for one of the invoices that failed before it. */
  async function olhar({ actor, provedor, pedido }: Caso, lugar: Lugar): Promise<void> {
    await write(actor, provedor.id, async (w) => {
      await travarNoLugar(w, pedido, lugar);
      const olhando = { lugar: paraLugarOlhando(pedido, lugar) };
      await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), olhando);
    });
  }

  /** Begins: what a run before this one looked at last is not where this one dies. */
  async function comecar({ actor, provedor, pedido }: Caso): Promise<Lugar> {
    const lugar = lugarDo(pedido);
    await write(actor, provedor.id, async (w) => {
      await recomecarMeses(w);
      if (pedido.olhando === null) return;
      await travarNoLugar(w, pedido, lugar);
      await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), { lugar: paraLugar(lugar) });
    });
    return lugar;
  }

  return {
    /**
     * Takes a run back. Once staff have given up what cannot be undone, a part that fails is halved until single invoices do, which stay, each
     * with why, as soon as one after them is cancelled, or the charges are let go. Where so many fail one after the other that it is by
     * something else, or more than one by the same with none cancelled after them, or the last step does, all of it fails. Once staff have
     * given up those, too, each that fails stays at once.
     */
    async executar(caso: Caso): Promise<void> {
      const { pedido, signal, aoAvancar } = caso;
      const total = pedido.total ?? 0;
      const desistiu = pedido.desistidoPor !== null;
      let lugar = await comecar(caso);
      // Where a run has died, the next one that dies is to leave no doubt at which invoice.
      const duvida = desistiu && pedido.tentativas > 0;
      const maior = duvida ? 1 : FATURAS_POR_PARTE;
      let limite = maior;
      for (let fim = false; !fim;) {
        signal.throwIfAborted();
        const olhada: Olhada = { proxima: null };
        if (duvida && lugar.seguidas > lugar.anotadas) await olhar(caso, lugar);
        try {
          ({ fim, ate: lugar } = await dar(caso, lugar, { limite, olhada }));
        } catch (error) {
          if (!desistiu || olhada.proxima === null || !eDoQueDesfaz(error, caso)) throw error;
          if (limite > 1) {
            limite = Math.ceil(limite / 2);
            continue;
          }
          const ate = depoisDaQueFicou(lugar, olhada.proxima, error);
          if (pedido.mesmoSeguidas) await deixar(caso, lugar, deixarTodas(ate));
          else if (ate.seguidas === MAIS_SEGUIDAS) throw porqueNaoFicam(ate, error);
          lugar = pedido.mesmoSeguidas ? deixarTodas(ate) : ate;
        }
        limite = Math.min(maior, limite * 2);
        const { vistos } = lugar.aqui;
        aoAvancar({ feitas: vistos, total: Math.max(total, vistos) });
        if (!fim) await sleep(descansoMs());
      }
    },

    /**
     * Leaves the next invoice of what was given up, at which one process after the other has died, as soon as one after it is cancelled.
     *
     * @returns false where none is left, so that it is at the last step that they died, and where they have died at so many one after the
     *   other that it is by something else
     */
    async deixarProxima(caso: Caso, error: Error): Promise<boolean> {
      const { actor, provedor, pedido } = caso;
      const lugar = lugarDaMorte(pedido);
      const proxima = await write(actor, provedor.id, async (w) => proximaFatura(w, pedido, lugar));
      if (proxima === null) return false;
      const ate = depoisDaQueFicou(lugar, proxima, error);
      const mortas = lugar.mortas + 1;
      const demais = mortas >= MAIS_MORTAS || ate.seguidas >= MAIS_SEGUIDAS;
      if (!pedido.mesmoSeguidas && demais) return false;
      await deixar(caso, lugar, pedido.mesmoSeguidas ? deixarTodas(ate) : { ...ate, mortas, anotadas: ate.seguidas });
      return true;
    },
  };
}
