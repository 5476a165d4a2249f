import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { ProvedoresService } from '../../domain/provedores/provedores.service.ts';
import type { ReceptoresService } from '../../domain/receptores/receptores.service.ts';
import type { ReceptorComProvedor } from '../../domain/receptores/receptores.types.ts';
import type { RecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import type { PixRecebido, PixRecusado } from '../../domain/recebimentos/recebimentos.types.ts';
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

/** A receiver's address; PSPs add `/pix` to what they were given, and some a query. */
const ALVO = /^\/webhooks\/pix\/(?<segredo>[^/?]*)(?:\/pix)?\/?(?:\?|$)/;

/** Requests of one network in a minute that no receiver answers for. */
const LIMITE_DE_ERROS = 60;

/** PIX one after the other that fail before the rest are left for the next telling. */
const FALHAS_SEGUIDAS = 3;

const lerCorpo = createBodyReader('application/json', '1mb');

/**
 * Where PSPs tell of PIX payments. The address holds the provider's secret; the PSP's client certificate, where it has one, is judged by
 * the proxy in front. Answers are in the envelope of the public API.
 */
export function createPsp(deps: PspDeps): Psp {
  const { receptores, recebimentos, provedores, gate, logger, metrics, proxies } = deps;
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

  /** Takes each PIX by itself: what was taken stays so, and what fails keeps no other from being taken. */
  async function registrar(
    pix: readonly (PixRecebido | PixRecusado)[],
    { receptor, provedor }: ReceptorComProvedor,
    ip: string,
    requestId: string,
  ): Promise<Answer> {
    const aviso = { receptor: receptor.nome, ip };
    const dados: object[] = [];
    let falharam = 0;
    let seguidas = 0;
    for (const item of pix) {
      const { endToEndId } = item;
      try {
        if ('falta' in item) {
          logger.warn({ requestId, provedorId: provedor.id, motivo: item.falta }, 'PIX fora do formato');
          await recebimentos.recusar(provedor, item, aviso);
          dados.push({ endToEndId, resultado: 'recusada', motivo: item.falta });
        } else {
          dados.push({ endToEndId, resultado: await recebimentos.registrar(provedor, item, aviso) });
        }
        seguidas = 0;
      } catch (error) {
        logger.error({ err: error, requestId, provedorId: provedor.id }, 'PIX não registrado');
        falharam += 1;
        seguidas += 1;
        // By now it is not the PIX that is at fault, and the PSP waits.
        if (seguidas === FALHAS_SEGUIDAS) break;
      }
    }
    return falharam === 0 ? emJson(200, { sucesso: true, dados }) : falha();
  }

  async function receber(ctx: Context, segredo: string, requestId: string): Promise<Answer> {
    const ip = sourceIp(ctx.req, proxies);
    const encontrado = await conhecer(ctx, segredo);
    if (encontrado === null) return desconhecido(ip);
    const { receptor } = encontrado;
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
    return registrar(aviso.pix, encontrado, ip, requestId);
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
      await responder(ctx, rota, async (requestId) => receber(ctx, segredo, requestId), falha);
    },
  };
}

const falha = (): Answer => recusa(500, 'erro_interno', 'Falha inesperada; tente de novo.');

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
