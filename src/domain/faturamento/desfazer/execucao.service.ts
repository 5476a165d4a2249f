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
import {
  FATURAS_POR_PARTE,
  NADA_DESFEITO,
  desfazerParte,
  encerrarVez,
  soltarCobrancas,
  somarParte,
} from './partes.service.ts';
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
}

/** The next step of an undoing, in its transaction. `fim`: no invoice is left, and it is the last one. */
type Passo = (w: Write, fim: boolean, agora: Date) => Promise<Lugar>;

const vezDo = ({ faturamentoId }: PedidoDeFaturamento): number => faturamentoId ?? 0;

const lugarDo = ({ ultimaFatura, vistos, desfeito }: PedidoDeFaturamento): Lugar => ({
  fatura: ultimaFatura,
  vistos,
  feito: desfeito ?? NADA_DESFEITO,
});

/** Whether what an undoing failed by is of what it undoes: it is neither over by itself in a while nor another run's. */
const eDoQueDesfaz = (error: unknown, { signal }: Caso): boolean =>
  !(error instanceof DeOutro || emMudanca(error) || isPassing(error) || signal.aborted);

/** Takes runs back by order, part by part. */
export function createExecucaoDoDesfazer({ write, relogio, descansoMs }: ExecucaoDoDesfazerDeps) {
  async function dar({ actor, provedor, pedido }: Caso, aqui: Lugar, passo: Passo): Promise<Lugar & { fim: boolean }> {
    return write(actor, provedor.id, async (w) => {
      const proxima = { depoisDe: aqui.fatura, limite: 1, travar: false };
      const fim = (await faturasDaVez(w, vezDo(pedido), proxima)).length === 0;
      // What charges, or undoes another run, reads the charges that are let go: it comes before or after, never beside.
      if (fim) await esperarAVez(w.tenant);
      const travado = await travarPedido(w, pedido.id);
      if (travado?.terminadoEm !== null || travado.ultimaFatura !== aqui.fatura) throw new DeOutro();
      const agora = relogio.agora();
      const ate = await passo(w, fim, agora);
      await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), {
        lugar: JSON.stringify({ fatura: ate.fatura }),
        vistos: ate.vistos,
        resultado: JSON.stringify(ate.feito),
        terminado_em: fim ? toDatabaseTime(agora) : null,
        ...SEM_FALHA,
        andou_em: toDatabaseTime(agora),
      });
      return { ...ate, fim };
    });
  }

  /** Cancels the next invoices; the last step is the one that finds none left, and lets the charges go. */
  const desfazer = (
    pedido: PedidoDeFaturamento,
    { fatura, vistos, feito }: Lugar,
    { limite, aoFim }: { readonly limite: number; readonly aoFim: () => void },
  ): Passo =>
    async function passo(w, fim, agora) {
      if (fim) {
        aoFim();
        await soltarCobrancas(w, vezDo(pedido), feito.desfeitas, agora);
        return { fatura, vistos, feito };
      }
      const parte = await desfazerParte(w, vezDo(pedido), { depoisDe: fatura, limite, agora });
      return {
        fatura: parte.ultima ?? fatura,
        vistos: vistos + parte.vistas,
        feito: somarParte(feito, parte),
      };
    };

  /** Leaves the next invoice as it is; where none is left, it ends, and no charge is let go. */
  const deixar = (pedido: PedidoDeFaturamento, { fatura, vistos, feito }: Lugar, error: unknown): Passo =>
    async function passo(w, fim, agora) {
      const porque = escreverErro(error);
      if (fim) {
        await encerrarVez(w, vezDo(pedido), feito.desfeitas, agora);
        return { fatura, vistos, feito: { ...feito, presas: porque } };
      }
      const [proxima] = await faturasDaVez(w, vezDo(pedido), { depoisDe: fatura, limite: 1, travar: false });
      const id = proxima?.id ?? fatura;
      const ficam = new Map([[id, `não se conseguiu cancelar (${porque.replace(/\.$/, '')})`]]);
      return { fatura: id, vistos: vistos + 1, feito: somarParte(feito, { canceladas: 0, ficam }) };
    };

  return {
    /**
     * Takes a run back. Once staff have given up what cannot be undone, a part that fails is halved until single invoices do, which stay, each
     * with why. So does the invoice at which processes die.
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
        let noFim = false;
        const aoFim = (): void => {
          noFim = true;
        };
        try {
          ({ fim, ...aqui } = await dar(caso, aqui, desfazer(pedido, aqui, { limite, aoFim })));
        } catch (error) {
          if (!desistiu || !eDoQueDesfaz(error, caso)) throw error;
          if (limite > 1 && !noFim) {
            limite = Math.ceil(limite / 2);
            continue;
          }
          ({ fim, ...aqui } = await dar(caso, aqui, deixar(pedido, aqui, error)));
        }
        limite = Math.min(maior, limite * 2);
        aoAvancar({ feitas: aqui.vistos, total: Math.max(total, aqui.vistos) });
        if (!fim) await sleep(descansoMs());
      }
    },

    /** Leaves the next invoice of what was given up, at which one process after the other has died. */
    async deixarProxima(caso: Caso, error: Error): Promise<void> {
      const aqui = lugarDo(caso.pedido);
      await dar(caso, aqui, deixar(caso.pedido, aqui, error));
    },
  };
}
