import type { Perfil } from '../../../domain/usuarios/perfis/perfis.types.ts';
import type { SaudeDoWebhook } from '../../../domain/webhooks/registro/registro.service.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta } from '../componentes/cartao.ts';
import { ha, inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { cartaoDePermissoes } from '../perfis/cartao-de-permissoes.ts';
import type { DoCartao } from '../perfis/cartao-de-permissoes.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

export const CAMINHO = '/configuracoes/webhooks';

export const CARTAO_DOS_WEBHOOKS: DoCartao = {
  gerir: 'webhooks.gerir',
  ver: 'webhooks.ver',
  para: `${CAMINHO}/permissoes`,
  oQue: 'os webhooks',
  gere: 'Cria e muda',
  rodape: 'O segredo de um webhook só aparece a quem o cria ou troca.',
};

/** The ways back from a screen of webhooks. */
export const migalhasDeUm = (webhook?: Webhook): (readonly [string, string])[] => [
  ['Webhooks', CAMINHO],
  ...(webhook === undefined ? [] : [[nomeDe(webhook), `${CAMINHO}/${webhook.id}`] as const]),
];

/** What a webhook is called: its description, or where it leads. */
export const nomeDe = ({ descricao, url }: Webhook): string => descricao ?? new URL(url).host;

export function estadoDe({ situacao, motivo, falhandoDesde }: Webhook): Html {
  if (situacao === 'pausado') return etiqueta('pausado', 'secondary');
  if (situacao === 'desativado') {
    return etiqueta(motivo === 'gone' ? 'desativado: quem recebe não quer mais' : 'desativado por falhas', 'red');
  }
  if (falhandoDesde !== null) return etiqueta('falhando', 'orange');
  return html`<span class="ponto on" aria-hidden="true"></span>ativo`;
}

/** How many of what is over was delivered: '99,2 % de 8.114'. */
export function taxa(saude: SaudeDoWebhook | undefined): string {
  if (saude === undefined || saude.terminadas === 0) return 'nada ainda';
  const parte = (saude.entregues / saude.terminadas) * 100;
  // Rounded down, so that what failed is never hidden.
  const escrita = (Math.floor(parte * 10) / 10).toLocaleString('pt-BR', { maximumFractionDigits: 1 });
  return `${escrita} % de ${inteiro(saude.terminadas)}`;
}

interface DaLista {
  readonly sessao: Sessao;
  readonly webhooks: readonly Webhook[];
  readonly saudes: ReadonlyMap<number, SaudeDoWebhook>;
  readonly perfis: readonly Perfil[];
  readonly agora: Date;
}

/** The webhooks with their health, and who may make them. */
export function telaDosWebhooks({ sessao, webhooks, saudes, perfis, agora }: DaLista): Tela {
  const novo = html`<a class="btn btn-primary" href="${BASE}${CAMINHO}/novo">${icone('plus')} Novo webhook</a>`;
  const gere = pode(sessao, 'webhooks.gerir');
  const lista = tabela<Webhook>({
    legenda: 'Webhooks',
    linhas: webhooks,
    vazia: vazio(
      'webhook',
      'Nenhum webhook',
      'Um CRM, um chatbot ou um ERP ouve por aqui o que acontece, sem perguntar.',
      gere ? novo : null,
    ),
    colunas: [
      {
        titulo: 'Para onde',
        principal: true,
        celula: (um) => html`<a href="${BASE}${CAMINHO}/${um.id}">${nomeDe(um)}</a><br /><code>${um.url}</code>`,
      },
      { titulo: 'Estado', celula: estadoDe },
      { titulo: 'Eventos', celula: ({ eventos }) => eventos.join(', ') },
      { titulo: 'Entregue em 30 dias', direita: true, celula: ({ id }) => taxa(saudes.get(id)) },
      {
        titulo: 'Na fila',
        direita: true,
        celula: ({ id }) => {
          const { pendentes = 0, esperaDesde = null } = saudes.get(id) ?? {};
          return html`${inteiro(pendentes)}${esperaDesde === null ? null : html`, a mais antiga criada ${ha(agora, esperaDesde)}`}`;
        },
      },
      { titulo: 'Último sucesso', celula: ({ ultimoSucessoEm }) => ha(agora, ultimoSucessoEm) ?? 'nenhum' },
    ],
  });
  return {
    titulo: 'Webhooks',
    menu: 'webhooks',
    acoes: gere ? novo : null,
    corpo: html`${cartao('Endereços', lista, { rente: true })}
    ${cartaoDePermissoes(sessao, perfis, CARTAO_DOS_WEBHOOKS)}`,
  };
}

/** The one page on which a secret stands. It is the answer to the form, so no address leads to it. */
export function telaDoSegredoNovo(webhook: Webhook, segredo: string, mais: Html | string | null): Tela {
  return {
    titulo: `Segredo de ${nomeDe(webhook)}`,
    menu: 'webhooks',
    migalhas: migalhasDeUm(webhook),
    corpo: html`<div class="largura-leitura">
      ${aviso('warning', html`<strong>Copie agora.</strong> Este segredo não será mostrado outra vez. ${mais ?? ''}`)}
      ${cartao(
        'O segredo',
        html`<p><code id="segredo-novo" class="segredo">${segredo}</code></p>
          <button class="btn btn-primary" type="button" data-copia="segredo-novo">
            ${icone('copy')} Copiar o segredo
          </button>`,
      )}
      ${cartao(
        'Confira cada envio',
        html`<p>
          Cada pedido vem assinado como diz a norma Standard Webhooks: os cabeçalhos <code>webhook-id</code>,
          <code>webhook-timestamp</code> e <code>webhook-signature</code> se conferem com qualquer biblioteca
          <code>standardwebhooks</code>. Sem conferir, não se sabe quem enviou.
        </p>`,
      )}
      <p class="acoes"><a class="btn" href="${BASE}${CAMINHO}/${webhook.id}">Já copiei: ver o webhook</a></p>
    </div>`,
  };
}
