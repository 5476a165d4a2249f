import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';
import { CAMPOS_DO_PEDIDO, exigirMes } from '../execucao/pedido.service.ts';
import { FALHAS_DITAS, SEM_FALHA, podeDesistir, podeDesistirDasSeguidas, tentarJa } from './falhas.service.ts';
import { abertosDe, travarAberto, travarPedido } from './pedidos.queries.ts';
import type { TipoDePedido } from './pedidos.queries.ts';

/** What people ask for of a whole month: the worker does it, however many contracts there are. */
export function createPedidosDoFaturamento({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /**
     * Has the charges of a month (`mes`) made, or reckoned for a preview. Who asks again while it is being done gets the same, and wakes it
     * where a queue has lost it, or where it waits after a failure, its own or that of an undoing that it comes after.
     *
     * @returns its id
     * @throws CamposInvalidos; Recusa `faturamento_sem_configuracao`
     */
    async pedir(tipo: Exclude<TipoDePedido, 'desfazer'>, dados: unknown): Promise<number> {
      const { mes } = lerCampos(CAMPOS_DO_PEDIDO, dados);
      const agora = relogio.agora();
      exigirMes(mes, hojeEm(provedor.fusoHorario, agora));
      const { desde } = await lerRegras(w.tenant);
      recusarSeNao(desde, 'faturamento_sem_configuracao');
      const aberto = await travarAberto(w, tipo, mes);
      const novo = { tipo, mes, autor: w.author.name, pedido_em: toDatabaseTime(agora) };
      const id = aberto?.id ?? (await w.insert('faturamento_pedidos', novo, { soughtBefore: true }));
      if (aberto !== null) {
        for (const antes of await abertosDe(w, 'desfazer')) await tentarJa(w, antes.id, agora);
        await tentarJa(w, id, agora);
      }
      w.emit('faturamento.mandado', id, { tipo, mes });
      return id;
    },

    /**
     * Stops what was asked for of a month: what is made of it stays, and the worker makes no part after the one that it is at. A run that is
     * being taken back is not stopped, because half of it would be neither made nor undone.
     *
     * @throws Recusa `nao_encontrado`, `transicao_invalida` where it has ended
     */
    async parar(id: number): Promise<void> {
      const pedido = await travarPedido(w, id);
      recusarSeNao(pedido, 'nao_encontrado');
      recusarSeNao(pedido.terminadoEm === null, 'transicao_invalida', { dito: 'o pedido já terminou' });
      const { tipo, mes } = pedido;
      recusarSeNao(tipo !== 'desfazer', 'transicao_invalida', { dito: 'o que se desfaz vai até o fim' });
      await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
        motivo: `Parado por ${w.author.name}.`,
        terminado_em: toDatabaseTime(relogio.agora()),
      });
      w.emit('faturamento.parado', id, { tipo, mes });
    },

    /**
     * Gives up what of an undoing cannot be undone, and wakes the worker: from now on an invoice that it fails to cancel stays as it is, with
     * why. Who gives it up again wakes it once more.
     *
     * @param mesmoSeguidas also where many fail one after the other, which is given up only after that, once it has failed as often again
     * @throws Recusa `nao_encontrado`, `transicao_invalida` where it is no undoing, has ended, or has not failed three times in a row
     */
    async desistir(id: number, { mesmoSeguidas = false } = {}): Promise<void> {
      const pedido = await travarPedido(w, id);
      recusarSeNao(pedido, 'nao_encontrado');
      const { tipo, mes, terminadoEm, falha, desistidoPor } = pedido;
      recusarSeNao(tipo === 'desfazer', 'transicao_invalida', { dito: 'só do que se desfaz se desiste' });
      recusarSeNao(terminadoEm === null, 'transicao_invalida', { dito: 'o pedido já terminou' });
      const podeSe = desistidoPor !== null || podeDesistir(pedido);
      const dasSeguidas = mesmoSeguidas && !pedido.mesmoSeguidas;
      const dito = `só se desiste do que falhou ${FALHAS_DITAS} vezes seguidas, e este falhou ${falha?.vezes ?? 0}`;
      recusarSeNao(podeSe, 'transicao_invalida', { dito });
      const antes = `mesmo das seguidas só se desiste depois de desistir sem isso, e de falhar outras ${FALHAS_DITAS} vezes seguidas`;
      recusarSeNao(!dasSeguidas || podeDesistirDasSeguidas(pedido), 'transicao_invalida', { dito: antes });
      if (dasSeguidas) {
        await w.update('faturamento_pedidos', (q) => void q.where({ id }), { mesmo_seguidas: 1 });
        w.emit('faturamento.desistido', id, { mes, seguidas: true });
      }
      if (desistidoPor === null) {
        await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
          desistido_por: w.author.name,
          // Tried at once, and how often it fails is counted anew.
          ...SEM_FALHA,
          // Whoever is at it now goes through whole parts: if it dies, nobody knows at which invoice.
          tentativas: w.tenant.db.raw('LEAST(tentativas, 1)'),
        });
        w.emit('faturamento.desistido', id, { mes });
      }
      await tentarJa(w, id, relogio.agora());
      w.emit('faturamento.mandado', id, { tipo, mes });
    },
  };
}
