import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { escolha, id, inteiro as umInteiro, ipv4, texto } from '../../../domain/campos/leitores.ts';
import { SITUACOES_DE_CONTRATO } from '../../../domain/contratos/contratos.types.ts';
import type { ContratoDaLista, EscolhasDasListas, PaginaDaLista } from '../../../domain/listas/listas.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { inteiro, login, quantos } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { opcao } from '../formulario/campos.ts';
import type { Opcao } from '../formulario/campos.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { emReais } from './apoio.ts';
import { ditaDoContrato, conexao as conexaoDita, situacaoDoContrato } from '../clientes/palavras.ts';
import { DIAS } from './palavras.ts';

const LISTA = '/contratos';

/** What narrows the list, and the place of its page. */
export const CONSULTA_DA_LISTA = {
  situacao: opcional(escolha(SITUACOES_DE_CONTRATO)),
  plano: opcional(id),
  cidade: opcional(texto(1, 80)),
  servidor: opcional(ipv4),
  dia: opcional(umInteiro(1, 31)),
  conexao: opcional(escolha(['online', 'offline'])),
  pagina: opcional(texto(1, 1000)),
} as const;

type Consulta = ValoresDe<typeof CONSULTA_DA_LISTA>;

const temFiltro = (consulta: Consulta): boolean =>
  Object.entries(consulta).some(([nome, dito]) => nome !== 'pagina' && dito !== undefined);

function filtro(
  nome: string,
  rotulo: string,
  atual: string | number | undefined,
  opcoes: readonly Opcao[],
  todas = 'Todas',
): Html {
  return html`<div>
    <label class="form-label" for="filtro-${nome}">${rotulo}</label>
    <select class="form-select" id="filtro-${nome}" name="${nome}">
      <option value="">${todas}</option>
      ${opcoes.map((uma) => opcao(uma, String(atual ?? '')))}
    </select>
  </div>`;
}

function filtros(consulta: Consulta, { cidadesDosContratos, planos, servidores }: EscolhasDasListas): Html {
  const dosPlanos = planos.map(({ id: plano, nome, ativo }) => ({
    valor: String(plano),
    texto: ativo ? nome : `${nome} (fora de venda)`,
  }));
  const dosServidores = servidores.map(({ endereco, nome }) => ({ valor: endereco, texto: nome ?? endereco }));
  const situacoes = SITUACOES_DE_CONTRATO.map((valor) => ({ valor, texto: ditaDoContrato(valor) }));
  const cidades = cidadesDosContratos.map((cidade) => ({ valor: cidade, texto: cidade }));
  return html`<form class="filtros" method="get" action="${BASE}${LISTA}">
    ${filtro('situacao', 'Situação', consulta.situacao, situacoes)}
    ${filtro('conexao', 'Conexão', consulta.conexao, [
      { valor: 'online', texto: 'Online' },
      { valor: 'offline', texto: 'Offline' },
    ])}
    ${filtro('plano', 'Plano', consulta.plano, dosPlanos, 'Todos')}
    ${filtro('cidade', 'Cidade', consulta.cidade, cidades)}
    ${dosServidores.length === 0 ? null : filtro('servidor', 'Servidor', consulta.servidor, dosServidores, 'Todos')}
    ${filtro('dia', 'Vencimento', consulta.dia, DIAS, 'Todos')}
    <div class="acoes">
      <button class="btn btn-primary">${icone('filter')} Filtrar</button>
      ${temFiltro(consulta) ? html`<a class="btn" href="${BASE}${LISTA}">Limpar</a>` : null}
    </div>
  </form>`;
}

const novo = (): Html =>
  html`<a class="btn btn-primary" href="${BASE}${LISTA}/novo">${icone('plus')} Novo contrato</a>`;

function nenhum(sessao: Sessao, consulta: Consulta): Html {
  if (temFiltro(consulta)) {
    return vazio(
      'filter',
      'Nenhum contrato com estes filtros',
      'Tire um dos filtros, ou procure pelo login, MAC ou IP na caixa de busca.',
      html`<a class="btn" href="${BASE}${LISTA}">Ver todos</a>`,
    );
  }
  return vazio(
    'router',
    'Ainda não há contratos',
    'Aqui fica cada linha que um cliente contratou: o plano, o login e se está online.',
    pode(sessao, 'contratos.editar') ? novo() : null,
  );
}

function linhas(sessao: Sessao, consulta: Consulta, itens: readonly ContratoDaLista[]): Html {
  return tabela({
    legenda: 'Contratos',
    linhas: itens,
    vazia: nenhum(sessao, consulta),
    colunas: [
      {
        titulo: 'Contrato',
        principal: true,
        celula: ({ id: numero, clienteNome }) =>
          html`<a href="${BASE}${LISTA}/${numero}">${numero} · ${clienteNome}</a>`,
      },
      { titulo: 'Situação', celula: ({ situacao }) => situacaoDoContrato(situacao) },
      { titulo: 'Conexão', celula: ({ conexao }) => conexaoDita(conexao) },
      { titulo: 'Login', celula: (um) => (um.login === null ? null : login(um.login)) },
      { titulo: 'Plano', celula: ({ plano }) => plano.nome },
      { titulo: 'Cidade', celula: ({ cidade }) => cidade },
      { titulo: 'Vence dia', direita: true, celula: ({ diaVencimento }) => diaVencimento },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => emReais(valor) },
    ],
  });
}

function corpo(
  sessao: Sessao,
  consulta: Consulta,
  escolhas: EscolhasDasListas,
  { itens, total, anterior, proxima }: PaginaDaLista<ContratoDaLista>,
): Html {
  const na = (cursor: string | null): string | null =>
    cursor === null ? null : comConsulta(LISTA, { ...consulta, pagina: cursor });
  const quantosHa = total.exato
    ? quantos(total.quantos, 'contrato', 'contratos')
    : `mais de ${inteiro(total.quantos)} contratos`;
  const pe = paginas({ total: quantosHa, anterior: na(anterior), proxima: na(proxima) });
  return html`${filtros(consulta, escolhas)}
  ${cartao(null, html`${linhas(sessao, consulta, itens)} ${itens.length === 0 ? null : pe}`, { rente: true })}`;
}

/** The list of contracts. */
export async function telaDaLista({ dominio, consulta, sessao }: Chamada<unknown, Consulta>): Promise<Tela> {
  const { situacao, plano, cidade, servidor, dia, conexao, pagina } = consulta;
  const [lista, escolhas] = await Promise.all([
    dominio.listas.contratos(
      { situacao, planoId: plano, cidade, servidor, diaVencimento: dia, conexao },
      { cursor: pagina },
    ),
    dominio.listas.escolhas(),
  ]);
  return {
    titulo: 'Contratos',
    menu: 'contratos',
    acoes: pode(sessao, 'contratos.editar') ? novo() : null,
    corpo: corpo(sessao, consulta, escolhas, lista),
  };
}
