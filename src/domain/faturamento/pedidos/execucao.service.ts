import { setTimeout as sleep } from 'node:timers/promises';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { aPedidoDe } from '../../actor.ts';
import type { Actor } from '../../actor.ts';
import { requisicaoDoPedido } from '../../auditoria/requisicao.service.ts';
import { EntradaInvalida, Recusa, emMudanca } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Ritmo } from '../../tarefas/ritmo.regras.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { createExecucaoDoDesfazer } from '../desfazer/execucao.service.ts';
import type { LeituraDoFaturamentoService } from '../execucao/leitura.service.ts';
import { POR_VEZ } from '../execucao/contratos.queries.ts';
import { createPedidoDeFaturamento, mesesDoPedido } from '../execucao/pedido.service.ts';
import { DeOutro, Espera } from './caso.ts';
import type { Caso, OpcoesDaExecucao } from './caso.ts';
import { SEM_FALHA, anotarFalha, comecarTentativa, deixarTentativa } from './falhas.service.ts';
import type { PedidosFalharam } from './falhas.service.ts';
import { desfazSe, lerPedido, primeiroPorFazer, travarPedido } from './pedidos.queries.ts';
import type { LugarDoPedido } from './pedidos.queries.ts';

export type ExecucaoDoFaturamentoService = ReturnType<typeof createExecucaoDoFaturamentoService>;

export interface ExecucaoDoFaturamentoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly leituraDe: (provedor: Provedor) => Pick<LeituraDoFaturamentoService, 'previa' | 'quantosFaltam'>;
  /** After each part: none where nobody else waits for this process. */
  readonly descansoMs: () => number;
  /** Asked before each part of a month. */
  readonly ritmo: (provedorId: number) => Ritmo | Promise<Ritmo>;
}

const MAIOR_MOTIVO = 300;

/** Does what people asked for of whole months. */
export function createExecucaoDoFaturamentoService({
  db,
  write,
  relogio,
  provedores,
  leituraDe,
  descansoMs,
  ritmo,
}: ExecucaoDoFaturamentoDeps) {
  /** Of two runs at the same time, the one that comes later to a part leaves the rest to the other. */
  const mesmoLugar = (um: LugarDoPedido | null, outro: LugarDoPedido | null): boolean =>
    um?.mes === outro?.mes && um?.depoisDe?.id === outro?.depoisDe?.id;

  /** @throws Espera where the order was sent back to its beginning meanwhile; DeOutro where another run has gone further */
  async function travarOnde(w: Write, id: number, aqui: LugarDoPedido | null): Promise<void> {
    const travado = await travarPedido(w, id);
    if (travado?.terminadoEm !== null) throw new DeOutro();
    if (aqui !== null && travado.lugar === null) throw new Espera();
    if (!mesmoLugar(travado.lugar, aqui)) throw new DeOutro();
  }

  async function mudar({ actor, provedor, pedido }: Caso, mudancas: object): Promise<void> {
    await write(actor, provedor.id, async (w) => {
      if ((await travarPedido(w, pedido.id))?.terminadoEm !== null) throw new DeOutro();
      await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), { ...mudancas, ...andou() });
    });
  }
  /** That somebody is doing it. */
  const andou = () => ({ andou_em: toDatabaseTime(relogio.agora()) });
  const terminar = async (caso: Caso, mudancas: object): Promise<void> =>
    mudar(caso, { ...mudancas, terminado_em: toDatabaseTime(relogio.agora()) });

  /** Reckons the whole anew: it writes nothing, and what was reckoned before an interruption may be stale. */
  async function fazerPrevia(caso: Caso): Promise<void> {
    const { pedido, provedor, signal, aoAvancar } = caso;
    const dados = { mes: pedido.mes.slice(0, 7) };
    const leitura = leituraDe(provedor);
    const total = await leitura.quantosFaltam(dados);
    await mudar(caso, { total, vistos: 0 });
    const resultado = await leitura.previa(dados, async (vistos) => {
      signal.throwIfAborted();
      aoAvancar({ feitas: vistos, total: Math.max(total, vistos) });
      await mudar(caso, { vistos, ...SEM_FALHA });
      await sleep(descansoMs());
    });
    await terminar(caso, { resultado: JSON.stringify(resultado) });
  }

  async function fazerFaturas(caso: Caso): Promise<void> {
    const { actor, provedor, pedido, signal, aoAvancar } = caso;
    let { lugar, vistos, faturas, total } = pedido;
    if (total === null) {
      total = await leituraDe(provedor).quantosFaltam({ mes: pedido.mes.slice(0, 7) });
      await mudar(caso, { total });
    }
    const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
    const meses = mesesDoPedido(pedido.mes.slice(0, 7), hoje);
    for (const mes of meses.filter((um) => lugar === null || um >= lugar.mes)) {
      for (;;) {
        signal.throwIfAborted();
        const aqui = lugar;
        const depoisDe = aqui?.mes === mes ? aqui.depoisDe : null;
        const { linhas, descansoMs: descanso } = await ritmo(provedor.id);
        const feito = await write(actor, provedor.id, async (w) => {
          // Before its order, as whoever undoes a run and sends the month back to its beginning.
          await esperarAVez(w.tenant);
          await travarOnde(w, pedido.id, aqui);
          const parte = await createPedidoDeFaturamento({ w, provedor, relogio }).gerar(
            { mes },
            depoisDe,
            Math.min(linhas, POR_VEZ),
          );
          // Behind the turn, as the undoing was ordered: what was left out for its sake is not passed over.
          if (await desfazSe(w)) throw new Espera();
          await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), {
            lugar: JSON.stringify({ mes, depoisDe: parte.proxima }),
            vistos: vistos + parte.vistos,
            faturas: faturas + parte.faturas,
            ...SEM_FALHA,
            ...andou(),
          });
          // The day's run belongs to the person who asked for it, not to the worker.
          const daVez = { dia: hoje, origem: 'pedido', autor: w.author.name };
          if (parte.faturas > 0) {
            await w.update('faturamentos', (q) => void q.where(daVez).whereNull('desfeito_em'), {
              autor: pedido.autor,
            });
          }
          return parte;
        });
        vistos += feito.vistos;
        faturas += feito.faturas;
        lugar = { mes, depoisDe: feito.proxima };
        aoAvancar({ feitas: vistos, total: Math.max(total, vistos) });
        if (feito.proxima === null) break;
        await sleep(descanso);
      }
    }
    await write(actor, provedor.id, async (w) => {
      await travarOnde(w, pedido.id, lugar);
      const fim = { vistos, terminado_em: toDatabaseTime(relogio.agora()), ...andou() };
      await w.update('faturamento_pedidos', (q) => void q.where({ id: pedido.id }), fim);
    });
  }

  const desfazer = createExecucaoDoDesfazer({ write, relogio, descansoMs });
  const COMO = {
    previa: fazerPrevia,
    faturas: fazerFaturas,
    desfazer: async (caso: Caso) => desfazer.executar(caso),
  } as const;

  /** @throws the failure itself, where it cannot be noted: what keeps it from being written may have caused it. */
  async function anotar({ actor, provedor, pedido }: Caso, error: unknown): Promise<PedidosFalharam> {
    try {
      return await write(actor, provedor.id, async (w) => anotarFalha(w, pedido, error, relogio.agora()));
    } catch {
      throw error;
    }
  }

  /** Leaves an order for a later run, which takes this one for dead if it cannot be noted. */
  async function deixar({ actor, provedor, pedido }: Caso): Promise<void> {
    await write(actor, provedor.id, async (w) => deixarTentativa(w, pedido.id)).catch(() => {});
  }

  return {
    /**
     * Does all that was asked for of a provider's months, the oldest first. Who is interrupted goes on where it was: each part is written
     * together with how far it has come. One that fails waits, longer each time, and keeps no other waiting; but
     * an undoing comes before all months.
     *
     * @throws PedidosFalharam once all others are done
     */
    async executarPedidos(actor: Actor, provedorId: number, opcoes: OpcoesDaExecucao): Promise<{ pedidos: number }> {
      const tenant = createTenantDb(db, provedorId);
      let falharam: PedidosFalharam | null = null;
      for (let pedidos = 0; ;) {
        const pedido = await primeiroPorFazer(tenant, relogio.agora());
        if (pedido === null) {
          if (falharam !== null) throw falharam;
          return { pedidos };
        }
        const provedor = await provedores.exigirPorId(provedorId);
        const requisicao = await requisicaoDoPedido(tenant, 'faturamento.mandado', pedido.id);
        const caso = { ...opcoes, actor: aPedidoDe(actor, requisicao), provedor, pedido };
        try {
          const agora = relogio.agora();
          const morreu = await write(caso.actor, provedorId, async (w) => comecarTentativa(w, pedido.id, agora));
          if (morreu !== null) {
            const deixou = pedido.desistidoPor !== null && (await desfazer.deixarProxima(caso, morreu));
            if (!deixou) falharam ??= morreu;
            continue;
          }
          await COMO[pedido.tipo](caso);
          pedidos += 1;
        } catch (error) {
          if (error instanceof Espera || opcoes.signal.aborted) await deixar(caso);
          if (error instanceof Espera) continue;
          if (error instanceof DeOutro) {
            // Who stopped it has stopped nothing else.
            if ((await lerPedido(tenant, pedido.id))?.terminadoEm === null) return { pedidos };
            continue;
          }
          if (emMudanca(error) || opcoes.signal.aborted) throw error;
          const semRemedio = error instanceof EntradaInvalida || error instanceof Recusa;
          // What is being undone is no run any more, and has to come to its end.
          if (!semRemedio || pedido.tipo === 'desfazer') {
            const falhou = await anotar(caso, error);
            falharam ??= falhou;
            continue;
          }
          // Such as a month that is over by now: trying again does not help.
          await terminar(caso, { motivo: error.message.slice(0, MAIOR_MOTIVO) });
          pedidos += 1;
        }
      }
    },
  };
}
