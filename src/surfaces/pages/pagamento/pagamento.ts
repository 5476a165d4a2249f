import type { Context } from 'koa';
import { isAnothersHost } from '../../../access/hosts.ts';
import type { Hosts } from '../../../access/hosts.ts';
import type { CobrancasService } from '../../../domain/cobrancas/cobrancas.service.ts';
import type { Cobranca } from '../../../domain/cobrancas/cobrancas.types.ts';
import { estadoDaCobranca } from '../../../domain/cobrancas/estado.regras.ts';
import { tokenBemFormado } from '../../../domain/cobrancas/token.regras.ts';
import { requestHost } from '../../../platform/http/request.ts';
import type { Renderings } from '../../../platform/threads/renderings.ts';
import { TooManyWaiting } from '../../../platform/timing/turns.ts';
import type { Turns } from '../../../platform/timing/turns.ts';
import { recado } from '../documento.ts';
import type { PageReply, Reply } from '../../../kit/html/reply.ts';
import type { Endereco } from '../endereco.ts';
import { telaDePagamento, telaDesconhecida, telaDoPix, telaSemBoleto, telaSemPagamento } from './telas.ts';
import type { Caminhos } from './telas.ts';

export interface PagamentoDeps {
  readonly cobrancas: CobrancasService;
  readonly hosts: Hosts;
  /** Boletos on paper. */
  readonly impressos: Renderings;
  readonly vezes: Turns;
}

/** Seconds after which a document that could not be made is worth asking for again. */
const ESPERA_SEGUNDOS = 5;

/** What logs and metrics call a request that nobody waits for any more, as nginx does. */
const FOI_EMBORA = 499;

/** The pages behind an invoice's link: its PIX, all the ways to pay it, and its boleto on paper. */
export function criarPagamento({ cobrancas, hosts, impressos, vezes }: PagamentoDeps) {
  /** The invoice, unless the link was opened on another provider's host. */
  async function abrir<T extends Cobranca>(ctx: Context, achada: Promise<T | null>): Promise<T | null> {
    const cobranca = await achada;
    return cobranca === null || (await isAnothersHost(requestHost(ctx.req), cobranca.provedor, hosts))
      ? null
      : cobranca;
  }

  async function mostrar(ctx: Context, pagina: 'pix' | 'pagar', token: string): Promise<Reply> {
    const cobranca = await abrir(ctx, cobrancas.abrir(token));
    if (cobranca === null) return desconhecida();
    const { segundaVia } = cobranca.fatura;
    const caminhos = caminhosDe(token);
    if (segundaVia === null || cobranca.fatura.aPagar === 0 || segundaVia.linkPagamento === null) {
      return { status: 200, page: telaSemPagamento(cobranca) };
    }
    const { pix } = segundaVia;
    if (pagina === 'pix' && pix !== null) {
      return { status: 200, page: telaDoPix(cobranca, segundaVia, pix, caminhos) };
    }
    return { status: 200, page: telaDePagamento(cobranca, segundaVia, caminhos) };
  }

  /** What an open page asks every few seconds. */
  async function situacao(ctx: Context, token: string): Promise<Reply> {
    const cobranca = await abrir(ctx, cobrancas.abrir(token));
    const corpo = cobranca === null ? {} : { estado: estadoDaCobranca(cobranca) };
    return {
      status: cobranca === null ? 404 : 200,
      type: 'application/json; charset=utf-8',
      body: Buffer.from(JSON.stringify(corpo)),
    };
  }

  async function imprimir(ctx: Context, token: string, ate: (feito: Promise<unknown>) => void): Promise<Reply> {
    // Whoever went while it waited needs no boleto.
    if (ctx.req.socket.destroyed) return { status: FOI_EMBORA, page: null };
    const cobranca = await abrir(ctx, cobrancas.imprimir(token));
    if (cobranca === null) return desconhecida();
    const { boletos, fatura } = cobranca;
    // A program that fetches the file to pass it on must not take a page for it.
    if (boletos === null) return { status: 410, page: telaSemBoleto(cobranca, caminhosDe(token)) };
    const impresso = impressos.of('boletos-pdf', boletos);
    const etag = `"${impresso.id}"`;
    const arquivo = {
      type: 'application/pdf',
      headers: {
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': `inline; filename="${boletos.formato}-${fatura.id}.pdf"`,
        ETag: etag,
      },
    };
    const jaTem = ctx
      .get('If-None-Match')
      .split(/\s*,\s*/)
      .includes(etag);
    if (jaTem) return { ...arquivo, status: 304, body: null };
    if (ctx.method === 'HEAD') return { ...arquivo, status: 200, body: null };
    const { body, done } = await impresso.open();
    ate(done);
    return { ...arquivo, status: 200, body };
  }

  /** A boleto costs more than a page: it is made in its turn, and what can be judged without it takes none. */
  async function imprimirNaVez(ctx: Context, token: string, rede: string): Promise<Reply> {
    if (!tokenBemFormado(token)) return desconhecida();
    try {
      return await vezes.run(rede, async (ate) => imprimir(ctx, token, ate));
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      const page = recado('Muitos pedidos ao mesmo tempo', null, 'Espere alguns segundos e abra o boleto de novo.');
      return { status: 503, page, headers: { 'Retry-After': String(ESPERA_SEGUNDOS) } };
    }
  }

  return async (ctx: Context, { pagina, token, consulta }: Endereco, rede: string): Promise<Reply> => {
    if (consulta) return pagina === 'boleto' ? desconhecida() : situacao(ctx, token);
    if (pagina === 'boleto') return imprimirNaVez(ctx, token, rede);
    return mostrar(ctx, pagina === 'pix' ? 'pix' : 'pagar', token);
  };
}

const desconhecida = (): PageReply => ({ status: 404, page: telaDesconhecida() });

const caminhosDe = (token: string): Caminhos => ({
  pix: `/pix/${token}`,
  pagar: `/pagar/${token}`,
  boleto: `/boleto/${token}`,
});
