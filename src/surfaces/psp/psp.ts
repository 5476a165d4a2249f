import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { ProvedoresService } from '../../domain/provedores/provedores.service.ts';
import type { ReceptoresService } from '../../domain/receptores/receptores.service.ts';
import type { ReceptorComProvedor } from '../../domain/receptores/receptores.types.ts';
import type { RecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import type { Gate } from '../../platform/gate/gate.ts';
import { networkSlot } from '../../platform/gate/keys.ts';
import { createBodyReader } from '../../platform/http/body.ts';
import { requestHost, sourceIp } from '../../platform/http/request.ts';
import { createResponder } from '../../platform/http/responder.ts';
import type { Answer, ResponderDeps } from '../../platform/http/responder.ts';
import { countedNetwork, createIpList } from '../../platform/ip.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { lerAviso } from './leitura.ts';

export interface PspDeps extends ResponderDeps {
  readonly receptores: Pick<ReceptoresService, 'buscarPorSegredo'>;
  readonly recebimentos: RecebimentosService;
  readonly provedores: Pick<ProvedoresService, 'idPorHost'>;
  readonly gate: Pick<Gate, 'admit'>;
  readonly metrics: Pick<Metrics, 'request' | 'refusal'>;
  /** Trusted proxies in front. */
  readonly proxies: number;
}

export interface Psp {
  /** Whether a request is for a receiver. */
  readonly atende: (request: IncomingMessage) => boolean;
  /** Answers requests for receivers; leaves all others to what follows. */
  readonly middleware: Middleware;
}

/** A receiver's address, in origin or absolute form; PSPs add `/pix` to what they were given, and some a query. */
const ALVO = /^(?:https?:\/\/[^/?#]*)?\/webhooks\/pix\/(?<segredo>[^/?#]*)(?:\/pix)?\/?(?:[?#]|$)/;

/** Requests of one network in a minute that no receiver answers for. */
const LIMITE_DE_ERROS = 60;

const lerCorpo = createBodyReader('application/json', '1mb');

/**
 * Where PSPs tell of PIX payments. The address holds the provider's secret; the PSP's client certificate, where it has one, is judged by
 * the proxy in front. Answers are in the envelope of the public API.
 */
export function createPsp(deps: PspDeps): Psp {
  const { receptores, recebimentos, provedores, gate, metrics, proxies } = deps;
  const responder = createResponder(deps);

  /** The receiver of an address, unless it is used on another provider's host. */
  async function conhecer(ctx: Context, segredo: string): Promise<ReceptorComProvedor | null> {
    const encontrado = await receptores.buscarPorSegredo(segredo);
    const host = requestHost(ctx.req);
    if (encontrado === null || host === encontrado.provedor.panelHost) return encontrado;
    return (await provedores.idPorHost(host)) === null ? encontrado : null;
  }

  async function desconhecido(ip: string): Promise<Answer> {
    const { count, resetMs } = await gate.admit(networkSlot(countedNetwork(ip)), 'psp', []);
    if (count <= LIMITE_DE_ERROS) return recusa(404, 'nao_encontrado', 'Não há receptor neste endereço.');
    metrics.refusal('rede');
    return {
      ...recusa(429, 'limite_excedido', 'Muitas tentativas; aguarde o tempo de Retry-After.'),
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(resetMs / 1000))) },
    };
  }

  async function receber(ctx: Context, segredo: string): Promise<Answer> {
    const ip = sourceIp(ctx.req, proxies);
    const encontrado = await conhecer(ctx, segredo);
    if (encontrado === null) return desconhecido(ip);
    const { receptor, provedor } = encontrado;
    if (receptor.ipsPermitidos !== null && !createIpList(receptor.ipsPermitidos).has(ip)) {
      return recusa(403, 'ip_nao_autorizado', 'O IP de origem não está na lista permitida deste receptor.');
    }
    if (ctx.method !== 'POST') {
      return { ...recusa(405, 'metodo_nao_permitido', 'Envie POST.'), headers: { Allow: 'POST' } };
    }
    const lido = await lerCorpo(ctx);
    if (lido.fault !== undefined) {
      return recusa(400, 'parametro_invalido', 'corpo: envie JSON em UTF-8, sem compressão, de até 1 MiB.');
    }
    const aviso = lerAviso(lido.bytes);
    if ('falta' in aviso) return recusa(400, 'parametro_invalido', aviso.falta);
    const dados: { endToEndId: string; resultado: string }[] = [];
    // One after the other: each is whole by itself, and those that were taken stay taken when a later one fails.
    for (const pix of aviso.pix) {
      const resultado = await recebimentos.registrar(provedor, pix, { receptor: receptor.nome, ip });
      dados.push({ endToEndId: pix.endToEndId, resultado });
    }
    return emJson(200, { sucesso: true, dados });
  }

  return {
    atende: ({ url = '' }) => ALVO.test(url),

    async middleware(ctx, next) {
      const segredo = ALVO.exec(ctx.req.url ?? '')?.groups?.['segredo'];
      if (segredo === undefined) {
        await next();
        return;
      }
      const rota = ctx.method === 'POST' ? 'POST /webhooks/pix/{segredo}' : 'nenhuma';
      await responder(
        ctx,
        rota,
        async () => receber(ctx, segredo),
        () => recusa(500, 'erro_interno', 'Falha inesperada; tente de novo.'),
      );
    },
  };
}

function recusa(status: number, codigo: string, mensagem: string): Answer {
  return emJson(status, { sucesso: false, erro: { codigo, mensagem } });
}

function emJson(status: number, corpo: object): Answer {
  return {
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(corpo),
    headers: { 'Cache-Control': 'no-store' },
  };
}
