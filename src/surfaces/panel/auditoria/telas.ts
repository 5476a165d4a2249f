import type { AcessosService } from '../../../domain/auditoria/acessos.service.ts';
import type { PaginaDaAuditoria } from '../../../domain/auditoria/auditoria.service.ts';
import type { LinhaDaAuditoria } from '../../../domain/auditoria/auditoria.types.ts';
import type { Usuario } from '../../../domain/usuarios/usuarios.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { abas, cartao } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import { escondido } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import type { Tela } from '../rota.ts';
import type { Filtro } from './filtro.ts';
import { ATOS_QUE_HA, RECURSOS_QUE_HA, ato, recursoDito } from './palavras.ts';

export const CAMINHO = '/configuracoes/auditoria';
const QUEM_VIU = `${CAMINHO}/quem-viu`;

const vistas = (atual: 'feito' | 'visto'): Html =>
  abas('O que se procura', [
    { texto: 'Quem fez o quê', para: CAMINHO, atual: atual === 'feito' },
    { texto: 'Quem viu clientes', para: QUEM_VIU, atual: atual === 'visto' },
  ]);

interface DaAuditoria {
  readonly sessao: Sessao;
  readonly consulta: Filtro;
  readonly pagina: PaginaDaAuditoria;
  readonly usuarios: readonly Pick<Usuario, 'id' | 'nome'>[];
}

/** Who did what, on what, when and from where. */
export function telaDaAuditoria({ sessao, consulta, pagina, usuarios }: DaAuditoria): Tela {
  const { itens, proxima } = pagina;
  const filtrada = Object.values(consulta).some((valor) => valor !== undefined);
  return {
    titulo: 'Auditoria',
    menu: 'auditoria',
    acoes: pode(sessao, 'exportar') ? exportar(consulta) : null,
    corpo: html`${vistas('feito')} ${filtros(consulta, usuarios)}
    ${cartao(
      null,
      html`${tabela<LinhaDaAuditoria>({
        legenda: 'O que se fez',
        linhas: itens,
        vazia: vazio(
          'history',
          filtrada ? 'Nada com este filtro' : 'Nada ainda',
          filtrada ? 'Mude o filtro, ou alargue o período.' : 'Tudo o que alguém muda aparece aqui.',
        ),
        colunas: [
          { titulo: 'Quando', celula: ({ em }) => instante(sessao.provedor.fusoHorario, em) },
          { titulo: 'Quem', celula: ({ quem }) => autor(sessao, quem) },
          {
            titulo: 'O quê',
            principal: true,
            celula: ({ acao }) => html`${ato(acao)}<br /><code>${acao}</code>`,
          },
          { titulo: 'Em quê', celula: alvo },
          { titulo: 'Campos', celula: ({ campos }) => campos.join(', ') },
          { titulo: 'De onde', celula: deOnde },
        ],
      })}
      ${paginas({ total: null, anterior: null, proxima: proxima === null ? null : comConsulta(CAMINHO, { ...consulta, antes: proxima }) })}`,
      { rente: true },
    )}`,
  };
}

/** A subscriber is named by no more than the app; who he is, his registration says to those who may see it. */
function autor(sessao: Sessao, { nome, clienteId }: LinhaDaAuditoria['quem']): Html | string {
  if (clienteId === null || !pode(sessao, 'clientes.ver')) return nome;
  return html`<span>${nome} · <a href="${BASE}/clientes/${clienteId}">cliente ${clienteId}</a></span>`;
}

/** A row leads to everything that was done to it. */
function alvo({ recurso, recursoId }: LinhaDaAuditoria): Html | string {
  const dito = recursoDito(recurso);
  if (recursoId === null) return dito;
  const para = comConsulta(CAMINHO, { recurso, recurso_id: recursoId });
  return html`<a href="${BASE}${para}">${dito} ${recursoId}</a>`;
}

/** The id of a request leads to everything that was done in it. */
function deOnde({ ip, requisicaoId }: LinhaDaAuditoria): Html | string | null {
  if (requisicaoId === null) return ip;
  return html`${ip}<br />${linkDaRequisicao(requisicaoId)}`;
}

/** What the audit log has of a request, by the id that its answer and the log say. */
export const linkDaRequisicao = (requisicaoId: string): Html =>
  html`<a href="${BASE}${comConsulta(CAMINHO, { requisicao: requisicaoId })}"><code>${requisicaoId}</code></a>`;

function filtros(consulta: Filtro, usuarios: DaAuditoria['usuarios']): Html {
  const estado = preenchido(consulta);
  return html`<form class="filtros" method="get" action="${BASE}${CAMINHO}">
    ${escolha(estado, {
      nome: 'usuario',
      rotulo: 'Quem',
      vazia: 'qualquer um',
      opcoes: usuarios.map(({ id, nome }) => ({ valor: String(id), texto: nome })),
    })}
    ${escolha(estado, {
      nome: 'acao',
      rotulo: 'O quê',
      vazia: 'qualquer coisa',
      opcoes: ATOS_QUE_HA,
    })}
    ${escolha(estado, { nome: 'recurso', rotulo: 'Em quê', vazia: 'qualquer coisa', opcoes: RECURSOS_QUE_HA })}
    ${entrada(estado, { nome: 'recurso_id', rotulo: 'Número', teclado: 'numeric' })}
    ${entrada(estado, { nome: 'requisicao', rotulo: 'Requisição' })}
    ${entrada(estado, { nome: 'de', rotulo: 'De', tipo: 'date' })}
    ${entrada(estado, { nome: 'ate', rotulo: 'Até', tipo: 'date' })}
    <div class="campo acoes">
      <button class="btn btn-primary">${icone('filter')} Filtrar</button>
      <a class="btn" href="${BASE}${CAMINHO}">Limpar</a>
    </div>
  </form>`;
}

function exportar(consulta: Filtro): Html {
  const valores = Object.entries(consulta).filter(([, valor]) => valor !== undefined);
  return html`<form method="post" action="${BASE}${CAMINHO}/exportar">
    ${valores.map(([nome, valor]) => escondido(nome, String(valor)))}
    <button class="btn">${icone('download')} Baixar CSV</button>
  </form>`;
}

type QuemViu = Awaited<ReturnType<AcessosService['quemViu']>>['itens'][number];

const OQUE_SE_VIU = {
  cliente: 'abriu o cadastro, ou um chamado',
  extrato: 'baixou um arquivo do extrato, de todos os clientes',
  csv: 'baixou uma lista de vários clientes',
} as const;

interface DeQuemViu {
  readonly fuso: string;
  readonly clienteId: number | undefined;
  readonly visto: { readonly itens: readonly QuemViu[]; readonly proxima: number | null };
}

/** Who looked at the data of one client, lists in which it may have been included; without one, who took lists of many. */
export function telaDeQuemViu({ fuso, clienteId, visto }: DeQuemViu): Tela {
  const estado = preenchido({ cliente: clienteId });
  return {
    titulo: 'Quem viu clientes',
    menu: 'auditoria',
    migalhas: [['Auditoria', CAMINHO]],
    corpo: html`${vistas('visto')}
      <form class="filtros" method="get" action="${BASE}${QUEM_VIU}">
        ${entrada(estado, {
          nome: 'cliente',
          rotulo: 'Número do cliente',
          dica: 'O que está no endereço da página do cliente; sem ele, quem baixou listas e extratos.',
          teclado: 'numeric',
        })}
        <div class="campo acoes"><button class="btn btn-primary">${icone('eye')} Ver quem viu</button></div>
      </form>
      ${cartao(
        null,
        html`${tabela<QuemViu>({
          legenda: clienteId === undefined ? 'Quem baixou listas e extratos' : `Quem viu o cliente ${clienteId}`,
          linhas: visto.itens,
          vazia: vazio(
            'eye',
            'Ninguém',
            clienteId === undefined
              ? 'Ninguém baixou listas nem extratos no último ano.'
              : 'Ninguém abriu os dados deste cliente, nem baixou listas, no último ano.',
          ),
          colunas: [
            { titulo: 'Quem', principal: true, celula: ({ nome }) => nome },
            { titulo: 'O que fez', celula: ({ oQue }) => OQUE_SE_VIU[oQue] },
            { titulo: 'Quando', celula: ({ em }) => instante(fuso, em) },
          ],
        })}
        ${paginas({
          total: null,
          anterior: null,
          proxima: visto.proxima === null ? null : comConsulta(QUEM_VIU, { cliente: clienteId, antes: visto.proxima }),
        })}`,
        { rente: true },
      )}`,
  };
}
