import { html, toText } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE, ativos } from '../ativos/ativos.ts';
import { ENDERECO_DO_MANIFESTO } from '../ativos/manifesto.ts';
import { icone, iconeQueDiz } from '../componentes/icone.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { recursosVisiveis } from '../notificacoes/recursos.ts';
import { atalhos } from './atalhos.ts';
import { conta, contadores, linhaAoVivo } from './contadores.ts';
import { menu } from './menu.ts';

/** What stands around a screen. */
export interface Ambiente {
  /** Null on pages for anybody. */
  readonly sessao: Sessao | null;
  readonly provedor: string | null;
  /** `#rrggbb` of the provider. */
  readonly cor: string;
  /** Where this page, or the first one where it cannot be opened by its address, is opened again: below `/painel`. */
  readonly volta: string;
  /** What was done before, in words. */
  readonly feito: string | null;
  readonly chamados: number | null;
  readonly naoLidas: number | null;
}

/** htmx swaps what it is told to, shows its own waiting by our style, and asks nobody else. */
const HTMX = '{"mode":"same-origin","includeIndicatorCSS":false,"history":"reload","defaultSwap":"innerMorph"}';

/** By Bootstrap's names. */
const DO_TEMA = { claro: 'light', escuro: 'dark', sistema: 'sistema' } as const;

/** A whole document. */
export function documento(tela: Tela, ambiente: Ambiente): Buffer {
  const { sessao, provedor, cor } = ambiente;
  const tema = temaDe(sessao);
  const pagina = html`<!doctype html>
    <html
      lang="pt-BR"
      data-tema="${DO_TEMA[tema]}"
      data-bs-theme="${tema === 'escuro' ? 'dark' : 'light'}"
      data-teclas="${sessao?.usuario.preferencias['teclas'] === false ? 'nao' : 'sim'}"
      data-fuso="${sessao?.provedor.fusoHorario ?? ''}"
      data-densidade="${sessao?.usuario.preferencias['densidade'] === 'compacta' ? 'compacta' : 'normal'}"
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="htmx-config" content="${HTMX}" />
        <title>${tituloDe(tela, provedor)}</title>
        <link rel="icon" href="data:," />
        <link rel="manifest" href="${ENDERECO_DO_MANIFESTO}" />
        <link rel="apple-touch-icon" href="${ativos.address('icone-192.png')}" />
        <link rel="stylesheet" href="${ativos.address('tabler.css')}" />
        ${
          tela.scripts?.includes('uplot') === true
            ? html`<link rel="stylesheet" href="${ativos.address('uplot.css')}" />`
            : null
        }
        <link rel="stylesheet" href="${ativos.address('painel.css')}" />
        <link rel="stylesheet" href="${BASE}/ativos/cor/${cor.slice(1)}.css" />
        <script src="${ativos.address('painel.js')}"></script>
        <script src="${ativos.address('htmx.js')}" defer></script>
        ${tela.scripts?.includes('uplot') === true ? html`<script src="${ativos.address('uplot.js')}" defer></script>` : null}
      </head>
      <body>
        <a class="pular" href="#conteudo">Ir para o conteúdo</a>
        ${sessao === null ? visita(tela, ambiente) : quadro(tela, ambiente, sessao)}
        <dialog id="entrar-de-novo" aria-label="Entrar de novo"></dialog>
        ${sessao === null ? null : atalhos()}
      </body>
    </html>`;
  return Buffer.from(toText(pagina));
}

/** What htmx puts into the page that is open: the screen without its frame. */
export function parteDaTela(tela: Tela, ambiente: Ambiente): Buffer {
  const parte = html`<title>${tituloDe(tela, ambiente.provedor)}</title>${miolo(tela, ambiente)}`;
  return Buffer.from(toText(parte));
}

/** Light, dark, or as the system has it. */
function temaDe(sessao: Sessao | null): 'claro' | 'escuro' | 'sistema' {
  const tema = sessao?.usuario.preferencias['tema'];
  return tema === 'claro' || tema === 'escuro' ? tema : 'sistema';
}

const tituloDe = ({ titulo }: Tela, provedor: string | null): string =>
  provedor === null ? titulo : `${titulo} · ${provedor}`;

function visita(tela: Tela, ambiente: Ambiente): Html {
  return html`<header class="topo"><span class="marca">${ambiente.provedor ?? 'Malha'}</span></header>
    <main id="conteudo" class="estreita" tabindex="-1">${miolo(tela, ambiente)}</main>`;
}

function quadro(tela: Tela, ambiente: Ambiente, sessao: Sessao): Html {
  const { chamados } = ambiente;
  const itens = menu(sessao, tela.menu, chamados);
  return html`<header class="topo">
      <details class="so-fone">
        <summary class="botao">${iconeQueDiz('menu-2', 'Menu')}</summary>
        <nav class="suspenso" aria-label="Menu">${itens}</nav>
      </details>
      <a class="marca" href="${BASE}">${ambiente.provedor ?? 'Malha'}</a>
      <span class="folga"></span>
      ${pode(sessao, 'clientes.ver') ? procura() : null} ${contadores(ambiente)} ${linhaAoVivo()}
      ${sino(ambiente, sessao)} ${pessoa(sessao, ambiente)}
    </header>
    <div class="quadro">
      <nav class="lateral" aria-label="Menu">${itens}</nav>
      <main id="conteudo" tabindex="-1">${miolo(tela, ambiente)}</main>
    </div>
    <div id="avisos-do-sistema" role="alert" aria-live="assertive"></div>`;
}

function procura(): Html {
  return html`<form class="procura" role="search" aria-label="Buscar no painel" action="${BASE}/busca" method="get">
    <label class="invisivel" for="busca">Buscar cliente, contrato, fatura, login, MAC ou IP</label>
    <input
      id="busca"
      class="form-control"
      type="search"
      name="q"
      autocomplete="off"
      maxlength="120"
      placeholder="Nome, CPF, telefone, login… (Ctrl+K)"
      hx-get="${BASE}/busca"
      hx-trigger="input changed delay:150ms"
      hx-target="#achados"
      hx-sync="this:replace"
    />
    <div id="achados" aria-live="polite"></div>
  </form>`;
}

function sino({ naoLidas }: Ambiente, sessao: Sessao): Html | null {
  if (recursosVisiveis(sessao).length === 0) return null;
  return html`<a class="botao" href="${BASE}/notificacoes"
    >${iconeQueDiz('bell', 'Notificações')} ${conta('nao-lidas', naoLidas, 'sino', 'não lidas')}</a
  >`;
}

function pessoa({ usuario, perfil }: Sessao, { volta }: Ambiente): Html {
  return html`<details>
    <summary class="botao">
      ${icone('user')} <span class="nome">${usuario.nome.split(' ')[0] ?? usuario.nome}</span>${icone('chevron-down')}
    </summary>
    <div class="suspenso">
      <p class="px-2 py-1 m-0 text-secondary">${usuario.nome}<br />${perfil.nome}</p>
      <a href="${BASE}/conta">${icone('user')} Minha conta</a>
      <form method="post" action="${BASE}/conta/tema">
        <input type="hidden" name="volta" value="${volta}" />
        <button name="tema" value="claro">${icone('sun')} Tema claro</button>
        <button name="tema" value="escuro">${icone('moon')} Tema escuro</button>
        <button name="tema" value="sistema">${icone('settings')} Tema do sistema</button>
      </form>
      <form method="post" action="${BASE}/sair"><button>${icone('logout')} Sair</button></form>
    </div>
  </details>`;
}

function miolo({ titulo, migalhas = [], acoes, corpo }: Tela, { feito }: Ambiente): Html {
  return html`<div class="cabeca">
      ${
        migalhas.length === 0
          ? null
          : html`<nav aria-label="Onde você está">
              <ol>
                ${migalhas.map(([texto, caminho]) => html`<li><a href="${BASE}${caminho}">${texto}</a></li>`)}
                <li aria-current="page">${titulo}</li>
              </ol>
            </nav>`
      }
      <h1>${titulo}</h1>
      <div class="acoes">${acoes ?? null}</div>
    </div>
    <p id="ditos" class="${feito === null ? 'invisivel' : 'alert alert-success'}" role="status">${feito ?? ''}</p>
    <div id="recusas" role="alert"></div>
    ${corpo}`;
}
