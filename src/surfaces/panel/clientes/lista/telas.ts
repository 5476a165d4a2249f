import { SITUACOES_DE_CLIENTE } from '../../../../domain/clientes/clientes.types.ts';
import type { ClienteDaLista, EscolhasDasListas, PaginaDaLista } from '../../../../domain/listas/listas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { cartao } from '../../componentes/cartao.ts';
import { inteiro, quantos } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { opcao } from '../../formulario/campos.ts';
import type { Opcao } from '../../formulario/campos.ts';
import { escondido } from '../../formulario/formulario.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { ditaDoCliente, situacaoDoCliente } from '../palavras.ts';
import { colunasDe, colunasPara, trocar } from './colunas.ts';
import { temFiltro } from './filtro.ts';
import type { ConsultaDaLista } from './filtro.ts';

const LISTA = '/clientes';

interface DaLista {
  readonly sessao: Sessao;
  readonly consulta: ConsultaDaLista;
  readonly pagina: PaginaDaLista<ClienteDaLista>;
  readonly escolhas: EscolhasDasListas;
}

function filtro(nome: string, rotulo: string, atual: string | number | undefined, opcoes: readonly Opcao[]): Html {
  return html`<div>
    <label class="form-label" for="filtro-${nome}">${rotulo}</label>
    <select class="form-select" id="filtro-${nome}" name="${nome}">
      <option value="">Todas</option>
      ${opcoes.map((uma) => opcao(uma, String(atual ?? '')))}
    </select>
  </div>`;
}

const igual = (texto: string): Opcao => ({ valor: texto, texto });

function filtros({ consulta, escolhas }: DaLista): Html {
  const { situacao, cidade, plano, conexao, ordem = 'nome', colunas } = consulta;
  return html`<form class="filtros" method="get" action="${BASE}${LISTA}">
    ${filtro(
      'situacao',
      'Situação',
      situacao,
      SITUACOES_DE_CLIENTE.map((valor) => ({ valor, texto: ditaDoCliente(valor) })),
    )}
    ${filtro('cidade', 'Cidade', cidade, escolhas.cidadesDosClientes.map(igual))}
    <div>
      <label class="form-label" for="filtro-plano">Plano</label>
      <select class="form-select" id="filtro-plano" name="plano">
        <option value="">Todos</option>
        ${escolhas.planos.map(({ id, nome, ativo }) => opcao({ valor: String(id), texto: ativo ? nome : `${nome} (fora de venda)` }, String(plano ?? '')))}
      </select>
    </div>
    ${filtro('conexao', 'Conexão', conexao, [
      { valor: 'online', texto: 'Online' },
      { valor: 'offline', texto: 'Offline' },
      { valor: 'bloqueado', texto: 'Bloqueada' },
    ])}
    <div>
      <label class="form-label" for="filtro-ordem">Ordem</label>
      <select class="form-select" id="filtro-ordem" name="ordem">
        ${[
          { valor: 'nome', texto: 'Por nome' },
          { valor: 'recentes', texto: 'Mais novos antes' },
          { valor: 'id', texto: 'Mais antigos antes' },
        ].map((uma) => opcao(uma, ordem))}
      </select>
    </div>
    ${colunas === undefined ? null : escondido('colunas', colunas)}
    <div class="acoes">
      <button class="btn btn-primary">${icone('filter')} Filtrar</button>
      ${temFiltro(consulta) ? html`<a class="btn" href="${BASE}${comConsulta(LISTA, { ordem: consulta.ordem, colunas })}">Limpar</a>` : null}
    </div>
  </form>`;
}

/** Which columns there are: each a link that shows it, or no longer does. */
function escolhaDeColunas(sessao: Sessao, consulta: ConsultaDaLista): Html {
  const vistas = colunasDe(consulta.colunas, sessao);
  return html`<details class="suspensa">
    <summary class="btn">Colunas</summary>
    <ul class="achados">
      ${colunasPara(sessao).map((uma) => {
        const vista = vistas.includes(uma);
        const para = comConsulta(LISTA, { ...consulta, pagina: null, colunas: trocar(vistas, uma.nome) });
        return html`<li>
          <a href="${BASE}${para}"
            ><span>${vista ? 'Esconder' : 'Mostrar'} ${uma.titulo}</span>${vista ? icone('check') : null}</a
          >
        </li>`;
      })}
    </ul>
  </details>`;
}

/** A form that is answered by a file, which htmx could not save. */
function exportar({ situacao, cidade, plano, conexao }: ConsultaDaLista): Html {
  const valores = Object.entries({ situacao, cidade, plano, conexao });
  return html`<form method="post" action="${BASE}${LISTA}/exportar">
    ${valores.flatMap(([nome, valor]) => (valor === undefined ? [] : [escondido(nome, valor)]))}
    <button class="btn">${icone('download')} Baixar CSV</button>
  </form>`;
}

export function acoesDaLista(sessao: Sessao, consulta: ConsultaDaLista): Html {
  return html`${escolhaDeColunas(sessao, consulta)} ${pode(sessao, 'exportar') ? exportar(consulta) : null}
  ${pode(sessao, 'clientes.editar') ? novo() : null}`;
}

const novo = (): Html => html`<a class="btn btn-primary" href="${BASE}${LISTA}/novo">${icone('plus')} Novo cliente</a>`;

function nenhum(sessao: Sessao, consulta: ConsultaDaLista): Html {
  if (temFiltro(consulta)) {
    return vazio(
      'filter',
      'Nenhum cliente com estes filtros',
      'Tire um dos filtros, ou procure pelo nome na caixa de busca.',
      html`<a class="btn" href="${BASE}${LISTA}">Ver todos</a>`,
    );
  }
  const passo = pode(sessao, 'clientes.editar') ? novo() : null;
  return vazio('users', 'Ainda não há clientes', 'Aqui ficam as pessoas e empresas a quem você presta serviço.', passo);
}

export function corpoDaLista(lista: DaLista): Html {
  const { sessao, consulta, pagina } = lista;
  const { itens, total, proxima, anterior } = pagina;
  const na = (cursor: string | null): string | null =>
    cursor === null ? null : comConsulta(LISTA, { ...consulta, pagina: cursor });
  const quantosHa = total.exato
    ? quantos(total.quantos, 'cliente', 'clientes')
    : `mais de ${inteiro(total.quantos)} clientes`;
  return html`${filtros(lista)}
  ${cartao(
    null,
    html`${tabela({
      legenda: 'Clientes',
      linhas: itens,
      vazia: nenhum(sessao, consulta),
      colunas: [
        {
          titulo: 'Nome',
          principal: true,
          celula: ({ id, nome, nomeFantasia }) =>
            html`<a href="${BASE}${LISTA}/${id}">${nome}</a>${
                nomeFantasia === null ? null : html`<br /><small class="text-secondary">${nomeFantasia}</small>`
              }`,
        },
        { titulo: 'Situação', celula: ({ situacao }) => situacaoDoCliente(situacao) },
        ...colunasDe(consulta.colunas, sessao).map(({ titulo, direita, celula }) => ({
          titulo,
          direita: direita === true,
          celula: (cliente: ClienteDaLista) => celula(cliente, sessao),
        })),
      ],
    })}
    ${itens.length === 0 ? null : paginas({ total: quantosHa, anterior: na(anterior), proxima: na(proxima) })}`,
    { rente: true },
  )}`;
}
