import { DE_FORA } from '../../../domain/eventos/fora.types.ts';
import type { Entrega, EntregaComCorpo, SaudeDoWebhook } from '../../../domain/webhooks/registro/registro.service.ts';
import { DESATIVA_COM_FALHAS, DESATIVA_DEPOIS_MS } from '../../../domain/webhooks/entregas/saude.regras.ts';
import { ESTADOS_DE_ENTREGA } from '../../../domain/webhooks/webhooks.types.ts';
import type { EstadoDaEntrega, Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { linkDaRequisicao } from '../auditoria/telas.ts';
import { aviso, cartao, etiqueta, ficha, numero } from '../componentes/cartao.ts';
import { duracao, instante, inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import { botao } from '../formulario/formulario.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { CAMINHO, estadoDe, migalhasDeUm, nomeDe, taxa } from './telas.ts';

const DITOS: Readonly<
  Record<EstadoDaEntrega, readonly [texto: string, cor: 'green' | 'orange' | 'red' | 'secondary']>
> = {
  entregue: ['entregue', 'green'],
  pendente: ['na fila', 'orange'],
  esgotada: ['não entregue', 'red'],
  cancelada: ['cancelada', 'secondary'],
};

/** What narrows the log, as addresses have it. */
interface Consulta {
  readonly situacao: EstadoDaEntrega | undefined;
  readonly evento: string | undefined;
  readonly de: string | undefined;
  readonly ate: string | undefined;
}

export interface DoDetalhe {
  readonly sessao: Sessao;
  readonly webhook: Webhook;
  readonly saude: SaudeDoWebhook | undefined;
  readonly medianaMs: number | null;
  readonly entregas: readonly Entrega[];
  /** After which the next page begins. */
  readonly proxima: number | null;
  readonly aberta: EntregaComCorpo | null;
  readonly consulta: Consulta;
  readonly agora: Date;
}

/** One webhook: how it does, and everything that was sent to it. */
export function telaDeUm(detalhe: DoDetalhe): Tela {
  const { sessao, webhook, saude, medianaMs, aberta, agora } = detalhe;
  const espera = saude?.esperaDesde ?? null;
  const fuso = sessao.provedor.fusoHorario;
  return {
    titulo: nomeDe(webhook),
    menu: 'webhooks',
    migalhas: migalhasDeUm(),
    acoes: pode(sessao, 'webhooks.gerir') ? acoesDe(webhook) : null,
    corpo: html`${avisoDe(webhook, fuso)}
      <div class="numeros mb-3">
        ${numero(taxa(saude), 'entregue em 30 dias', null)}
        ${numero(medianaMs === null ? '–' : `${inteiro(medianaMs)} ms`, 'mediana das últimas', null)}
        ${numero(
          inteiro(saude?.pendentes ?? 0),
          espera === null
            ? 'na fila'
            : `na fila, a mais antiga criada há ${duracao(agora.getTime() - espera.getTime())}`,
          `${CAMINHO}/${webhook.id}?situacao=pendente`,
        )}
      </div>
      ${cartao(
        null,
        ficha([
          ['Endereço', html`<code>${webhook.url}</code>`],
          ['Estado', estadoDe(webhook)],
          ['Eventos', webhook.eventos.join(', ')],
          ['Segredo', html`termina em <code>${webhook.segredoFim}</code>`],
          ['O anterior assina até', instante(fuso, webhook.anteriorAte)],
          ['Falhando desde', instante(fuso, webhook.falhandoDesde)],
          ['Último sucesso', instante(fuso, webhook.ultimoSucessoEm)],
          ['Criado', instante(fuso, webhook.criadoEm)],
        ]),
      )}
      ${aberta === null ? null : cartaoDaEntrega(sessao, webhook, aberta)} ${registro(detalhe)}`,
  };
}

function acoesDe({ id, situacao }: Webhook): Html {
  const para = `${CAMINHO}/${id}`;
  return html`${botao({ para: `${para}/testar`, texto: 'Testar', icone: icone('plug-connected') })}
    ${
      situacao === 'ativo'
        ? html`${botao({ para: `${para}/pausar`, texto: 'Pausar' })}
            ${botao({ para: `${para}/reenviar`, texto: 'Reenviar falhas', icone: icone('refresh') })}
            <a class="btn" href="${BASE}${para}/reenviar-desde">Reenviar desde…</a>`
        : botao({ para: `${para}/ativar`, texto: 'Ativar', classe: 'btn btn-primary' })
    }
    <a class="btn" href="${BASE}${para}/alterar">${icone('edit')} Mudar</a>
    <a class="btn" href="${BASE}${para}/segredo">${icone('key')} Segredo</a>
    <a class="btn btn-outline-danger" href="${BASE}${para}/remover">${icone('trash')} Remover</a>`;
}

function avisoDe({ situacao, motivo, falhandoDesde }: Webhook, fuso: string): Html | null {
  if (situacao === 'pausado') {
    return aviso('info', 'Pausado: nada entra na fila. Depois de ativar, o que houve se busca em “Reenviar desde”.');
  }
  if (situacao === 'ativo') {
    if (falhandoDesde === null) return null;
    const fim = new Date(falhandoDesde.getTime() + DESATIVA_DEPOIS_MS);
    return aviso(
      'warning',
      html`Nada se entrega desde ${instante(fuso, falhandoDesde)}. Se continuar assim, com ${DESATIVA_COM_FALHAS} envios
      ou mais, é desativado em ${instante(fuso, fim)}. O que esgotar as tentativas se envia de novo em “Reenviar
      falhas”.`,
    );
  }
  const porque =
    motivo === 'gone' ? 'Quem recebe respondeu que não quer mais (410).' : 'Nada se entregou por cinco dias.';
  return aviso('warning', `${porque} Depois de ativar, o que houve se busca em “Reenviar desde”.`);
}

function registro({ sessao, webhook, entregas, proxima, consulta, aberta }: DoDetalhe): Html {
  const para = `${CAMINHO}/${webhook.id}`;
  const fuso = sessao.provedor.fusoHorario;
  const filtrada = Object.values(consulta).some((valor) => valor !== undefined);
  const lista = tabela<Entrega>({
    legenda: 'O que se enviou',
    linhas: entregas,
    vazia: vazio(
      'history',
      filtrada ? 'Nada com este filtro' : 'Nada se enviou ainda',
      filtrada ? 'Mude o filtro, ou alargue o período.' : 'O que acontecer e estiver marcado aparece aqui.',
    ),
    colunas: [
      { titulo: 'Estado', celula: ({ situacao }) => etiqueta(...DITOS[situacao]) },
      {
        titulo: 'Evento',
        principal: true,
        celula: ({ id, tipo, mensagemId }) =>
          html`<a
              href="${BASE}${comConsulta(para, { ...consulta, aberta: id })}#entrega"
              ${aberta?.id === id ? html`aria-current="true"` : null}
              >${tipo}</a
            ><br /><code>${mensagemId}</code>`,
      },
      { titulo: 'Quando', celula: ({ criadaEm }) => instante(fuso, criadaEm) },
      { titulo: 'Resposta', celula: ({ ultima }) => ultima?.status ?? ultima?.erro ?? '' },
      {
        titulo: 'Demorou',
        direita: true,
        celula: ({ ultima }) => (ultima === null ? '' : `${inteiro(ultima.duracaoMs)} ms`),
      },
      { titulo: 'Tentativas', direita: true, celula: ({ tentativas }) => tentativas },
      { titulo: 'Próxima', celula: ({ proximaEm }) => instante(fuso, proximaEm) },
    ],
  });
  return html`${filtros(para, consulta)}
  ${cartao(
    'Registro',
    html`${lista}
    ${paginas({ total: null, anterior: null, proxima: proxima === null ? null : comConsulta(para, { ...consulta, antes: proxima }) })}`,
    { rente: true },
  )}`;
}

function filtros(para: string, consulta: Consulta): Html {
  const estado = preenchido({ ...consulta });
  return html`<form class="filtros" method="get" action="${BASE}${para}">
    ${escolha(estado, {
      nome: 'situacao',
      rotulo: 'Estado',
      vazia: 'todos',
      opcoes: ESTADOS_DE_ENTREGA.map((valor) => ({ valor, texto: DITOS[valor][0] })),
    })}
    ${escolha(estado, {
      nome: 'evento',
      rotulo: 'Evento',
      vazia: 'qualquer um',
      opcoes: Object.keys(DE_FORA).map((valor) => ({ valor, texto: valor })),
    })}
    ${entrada(estado, { nome: 'de', rotulo: 'De', tipo: 'date' })}
    ${entrada(estado, { nome: 'ate', rotulo: 'Até', tipo: 'date' })}
    <div class="campo acoes">
      <button class="btn btn-primary">${icone('filter')} Filtrar</button>
      <a class="btn" href="${BASE}${para}">Limpar</a>
    </div>
  </form>`;
}

function cartaoDaEntrega(sessao: Sessao, webhook: Webhook, entrega: EntregaComCorpo): Html {
  const fuso = sessao.provedor.fusoHorario;
  const reenvia = pode(sessao, 'webhooks.gerir') && webhook.situacao === 'ativo';
  const feitas = html`<ol class="mb-0">
    ${entrega.feitas.map(
      ({ em, status, erro, duracaoMs, resposta }) =>
        html`<li>
          ${instante(fuso, em)}: ${status ?? erro}, ${inteiro(duracaoMs)}
          ms${resposta === null || resposta === '' ? null : html`<pre class="mt-1">${resposta}</pre>`}
        </li>`,
    )}
  </ol>`;
  return cartao(
    `Entrega de ${entrega.tipo}`,
    html`${
        entrega.requisicaoId === null
          ? null
          : html`<p>
              Pela requisição
              ${pode(sessao, 'auditoria.ver') ? linkDaRequisicao(entrega.requisicaoId) : html`<code>${entrega.requisicaoId}</code>`}
            </p>`
      }
      <h3>Corpo</h3>
      <pre>${entrega.corpo}</pre>
      <h3>Tentativas</h3>
      ${entrega.feitas.length === 0 ? html`<p class="mb-0">Nenhuma terminou ainda.</p>` : feitas}`,
    {
      id: 'entrega',
      acoes: reenvia
        ? botao({
            para: `${CAMINHO}/${webhook.id}/entregas/${entrega.id}/reenviar`,
            texto: 'Reenviar',
            icone: icone('refresh'),
          })
        : null,
    },
  );
}
