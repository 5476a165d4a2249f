import { criarCalendarioBancario } from '../../src/brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../src/brazil/calendario/datas.ts';
import type { Cartorio } from '../autoridade/certificados.ts';
import { abrirServidorMtls } from '../autoridade/servidor.ts';
import { emReais, valorNoDia } from './calculo.ts';
import type { CorpoDaCobranca } from './calculo.ts';
import { criarCobrancas } from './cobrancas.ts';
import { criarPedidos } from './pedidos.ts';
import type { PedidosDeps } from './pedidos.ts';
import { criarRecebidos } from './recebidos.ts';
import type { PixNoPsp } from './recebidos.ts';
import { problema } from './resposta.ts';
import type { Resposta } from './resposta.ts';

interface PspDeps extends Pick<PedidosDeps, 'agora'>, Partial<Pick<PedidosDeps, 'humor' | 'conferir'>> {
  readonly cartorio: Cartorio;
  readonly fuso?: string;
}

/**
 * A stand-in for a PSP, for demonstrations and tests: OAuth over mTLS, charges with and without due date, what was received, devolutions and
 * the webhook, by the API Pix of the Banco Central 2.9. No money moves.
 */
export async function abrirPsp({
  cartorio,
  agora,
  fuso = 'America/Sao_Paulo',
  humor = () => ({}),
  conferir = () => null,
}: PspDeps) {
  const calendario = criarCalendarioBancario(null);
  const cobrancas = criarCobrancas(agora);
  const recebidos = criarRecebidos(agora);
  const webhooks = new Map<string, { readonly webhookUrl: string; readonly criacao: string }>();

  function doWebhook(metodo: string, chave: string, corpo: unknown): Resposta {
    if (metodo === 'PUT') {
      webhooks.set(chave, { webhookUrl: (corpo as { webhookUrl: string }).webhookUrl, criacao: agora().toISOString() });
      return { status: 200, corpo: null };
    }
    const ha = webhooks.get(chave);
    return ha === undefined
      ? problema(404, 'WebhookNaoEncontrado', 'não há')
      : { status: 200, corpo: { chave, ...ha } };
  }

  function decidir(metodo: string, partes: readonly string[], consulta: URLSearchParams, corpo: unknown): Resposta {
    const [recurso = '', id = '', , devolucao = ''] = partes;
    switch (recurso) {
      case 'cob':
      case 'cobv':
        return cobrancas.responder(metodo, recurso, id, corpo as CorpoDaCobranca);
      case 'pix':
        return recebidos.responder(metodo, { endToEndId: id, devolucao }, consulta, corpo ?? {});
      case 'webhook':
        return doWebhook(metodo, id, corpo);
      default:
        return problema(404, 'NaoEncontrado', 'não há');
    }
  }

  const pedidos = criarPedidos({ agora, humor, conferir, decidir });
  const { porta, fechar } = await abrirServidorMtls(cartorio, async (pedido, resposta) =>
    pedidos.responder(pedido, resposta),
  );

  return {
    porta,
    base: `https://127.0.0.1:${porta}/v2`,
    tokenUrl: `https://127.0.0.1:${porta}/oauth/token`,
    cobrancas: cobrancas.todas,
    feitas: cobrancas.feitas,
    pix: recebidos.todos,
    webhooks,
    foraDoEsquema: pedidos.foraDoEsquema,
    porAvisar: recebidos.porAvisar,
    pedidosDeToken: pedidos.deToken,

    /** Somebody pays a charge today; null where it cannot be paid. */
    pagar(txid: string): PixNoPsp | null {
      const cobranca = cobrancas.todas.get(txid);
      if (cobranca?.status !== 'ATIVA') return null;
      const valor = valorNoDia(cobranca, hojeEm(fuso, agora()), agora(), calendario);
      if (valor === null) return null;
      cobrancas.concluir(cobranca);
      const { total, multa, juros } = valor;
      const componentesValor = {
        original: { valor: emReais(total - multa - juros) },
        ...(multa > 0 ? { multa: { valor: emReais(multa) } } : {}),
        ...(juros > 0 ? { juros: { valor: emReais(juros) } } : {}),
      };
      return recebidos.receber(emReais(total), cobranca.corpo.chave, { txid, componentesValor });
    },

    /** Somebody pays a static code, or a key without any. */
    pagarChave: (chave: string, valor: string, txid?: string): PixNoPsp =>
      recebidos.receber(valor, chave, txid === undefined ? {} : { txid }),

    tomar: (endToEndId: string, valor: string): void => recebidos.tomar(endToEndId, valor),
    liquidar: (): void => recebidos.liquidar(),
    fechar,
  };
}
