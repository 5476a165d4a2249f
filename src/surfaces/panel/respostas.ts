import { html, toText } from '../../kit/html/html.ts';
import type { Html } from '../../kit/html/html.ts';
import type { Answer } from '../../platform/http/responder.ts';
import { ownIteration } from '../../platform/timing/iteration.ts';
import { BASE } from './ativos/ativos.ts';
import { comConsulta } from './componentes/tabela.ts';
import { ditoDe } from './moldura/feitos.ts';
import { documento, parteDaTela } from './moldura/moldura.ts';
import type { Ambiente } from './moldura/moldura.ts';
import { deOndeVeio, voltaSegura } from './pedido.ts';
import type { Pedido } from './pedido.ts';
import type { Recusado } from './recusas.ts';
import type { Desfecho, Tela } from './rota.ts';
import { cookieDaSessao } from './sessao.ts';

/** Nothing is loaded from elsewhere, and no code or style stands in a page. */
const POLITICA = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Headers of every answer of the panel. */
export const HEADERS = {
  'Content-Security-Policy': POLITICA,
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), payment=()',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  Vary: 'HX-Request',
};

const HTML = 'text/html; charset=utf-8';

/** What stands around a screen of a request. Asked for only where there is a screen. */
export type AoRedor = (pedido: Pedido) => Promise<Omit<Ambiente, 'volta' | 'feito'>>;

/** Turns what came of a request into an answer: a whole page, the part that htmx asked for, or the way to another page. */
/** @param temPagina whether a path below `/painel` can be opened, and not only be sent something. */
export function criarRespostas(aoRedor: AoRedor, temPagina: (caminho: string) => boolean) {
  async function comTela(pedido: Pedido, tela: Tela, status: number): Promise<Answer> {
    const ambiente: Ambiente = {
      ...(await aoRedor(pedido)),
      volta: temPagina(pedido.caminho) ? pedido.endereco : '',
      feito: ditoDe(pedido.ctx.URL.searchParams.get('feito')),
    };
    await ownIteration();
    const body = pedido.porHtmx ? parteDaTela(tela, ambiente) : documento(tela, ambiente);
    return { status, type: HTML, body, headers: HEADERS };
  }

  async function feita(
    pedido: Pedido,
    desfecho: Exclude<Desfecho, { tomar: unknown } | { arquivo: unknown }>,
  ): Promise<Answer> {
    if ('tela' in desfecho) return comTela(pedido, desfecho.tela, desfecho.status ?? 200);
    if ('ir' in desfecho) return irPara(pedido, desfecho);
    const { parte, status = 200, gatilho } = desfecho;
    const headers = gatilho === undefined ? HEADERS : { ...HEADERS, 'HX-Trigger': gatilho };
    return { status, type: HTML, body: toText(parte), headers };
  }

  return {
    async de(pedido: Pedido, desfecho: Exclude<Desfecho, { tomar: unknown }>): Promise<Answer> {
      if ('arquivo' in desfecho) {
        const { nome, tipo, corpo } = desfecho.arquivo;
        return {
          status: 200,
          type: tipo,
          body: typeof corpo === 'function' ? await corpo() : corpo,
          headers: { ...HEADERS, 'Content-Disposition': anexo(nome) },
        };
      }
      const answer = await feita(pedido, desfecho);
      const { sessao } = desfecho;
      if (sessao === undefined) return answer;
      return { ...answer, headers: { ...answer.headers, 'Set-Cookie': cookieDaSessao(sessao, pedido.https) } };
    },

    /** A refusal: a page or, for htmx, a message beside what is shown already, so that no form is lost. */
    async daRecusa(pedido: Pedido, { status, titulo, texto, headers }: Recusado): Promise<Answer> {
      if (pedido.porHtmx && pedido.ctx.method === 'POST') {
        const parte = html`<div class="alert alert-danger" tabindex="-1" data-faltas>
          <div><strong>${titulo}.</strong> ${texto} ${numeroDoPedido(pedido)}</div>
        </div>`;
        // Over the page stands the dialog, where there is one.
        const onde = pedido.parte === 'entrar-de-novo' ? '#recusas-da-entrada' : '#recusas';
        const alvo = { 'HX-Retarget': onde, 'HX-Reswap': 'innerHTML', 'HX-Reselect': '[data-faltas]' };
        return { status, type: HTML, body: toText(parte), headers: { ...HEADERS, ...alvo, ...headers } };
      }
      const tela = { titulo, corpo: recado(texto, pedido) };
      const answer = await comTela(pedido, tela, status);
      return { ...answer, headers: { ...answer.headers, ...headers } };
    },

    /** The way in, for a request without a session: in a dialog over what htmx would have changed, so that nothing typed is lost. */
    async semSessao(pedido: Pedido, entrada: Html): Promise<Answer> {
      if (pedido.porHtmx) {
        const alvo = { 'HX-Retarget': '#entrar-de-novo', 'HX-Reswap': 'innerHTML', 'HX-Reselect': '#de-novo' };
        return { status: 401, type: HTML, body: toText(entrada), headers: { ...HEADERS, ...alvo } };
      }
      const volta = pedido.ctx.method === 'GET' ? voltaSegura(pedido.endereco) : '';
      const entrar = comConsulta(`${BASE}/entrar`, { volta });
      return { status: 303, type: HTML, body: null, headers: { ...HEADERS, Location: entrar } };
    },
  };
}

/** htmx goes on by itself where the whole page changes; a part of a page is fetched by the redirection. */
function irPara({ porHtmx, parte }: Pedido, { ir, feito }: Extract<Desfecho, { ir: string }>): Answer {
  const para = `${BASE}${feito === undefined ? ir : `${ir}${ir.includes('?') ? '&' : '?'}feito=${feito}`}`;
  if (porHtmx && (parte === 'conteudo' || parte === '')) {
    return { status: 200, type: HTML, body: null, headers: { ...HEADERS, 'HX-Redirect': para } };
  }
  return { status: 303, type: HTML, body: null, headers: { ...HEADERS, Location: para } };
}

/** By it whoever is asked for help finds what happened: the log and the audit log name it. */
const numeroDoPedido = ({ requestId }: Pedido): Html =>
  html`<small class="d-block">Se precisar de ajuda, diga ao suporte este número: <code>${requestId}</code></small>`;

function recado(texto: string, pedido: Pedido): Html {
  const volta = deOndeVeio(pedido);
  return html`<div class="card largura-leitura">
    <div class="card-body">
      <p>${texto}</p>
      <p>${numeroDoPedido(pedido)}</p>
      <div class="acoes">
        ${volta === '' ? null : html`<a class="btn btn-primary" href="${BASE}${volta}">Voltar</a>`}
        <a class="btn" href="${BASE}">Ir para o início</a>
      </div>
    </div>
  </div>`;
}

/** A name that somebody gave a file may have any letters, of which a header takes few (RFC 6266). */
function anexo(nome: string): string {
  const simples = nome.replaceAll(/[^ -~]|["\\]/g, '_');
  const inteiro = simples === nome ? '' : `; filename*=UTF-8''${encodeURIComponent(nome)}`;
  return `attachment; filename="${simples}"${inteiro}`;
}
