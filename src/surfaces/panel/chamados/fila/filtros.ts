import { bem, opcional } from '../../../../domain/campos/campos.ts';
import type { Leitor } from '../../../../domain/campos/campos.ts';
import { escolha, id, texto } from '../../../../domain/campos/leitores.ts';
import { CATEGORIAS_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../../../domain/chamados/chamados.types.ts';
import { ORIGENS_DE_CHAMADO, VISOES_DA_FILA } from '../../../../domain/chamados/fila/fila.types.ts';
import type { FiltroDaFila, Responsavel } from '../../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { opcao } from '../../formulario/campos.ts';
import type { Opcao } from '../../formulario/campos.ts';
import { escondido } from '../../formulario/formulario.ts';
import { CATEGORIAS, ORIGENS, SITUACOES, opcoesDe } from '../palavras.ts';

const quem: Leitor<number | 'ninguem'> = (valor) => (valor === 'ninguem' ? bem('ninguem') : id(valor));

/** What the address of the queue takes. */
export const CONSULTA_DA_FILA = {
  visao: opcional(escolha(VISOES_DA_FILA)),
  situacao: opcional(escolha(SITUACOES_DE_CHAMADO)),
  categoria: opcional(escolha(CATEGORIAS_DE_CHAMADO)),
  origem: opcional(escolha(ORIGENS_DE_CHAMADO)),
  responsavel: opcional(quem),
  esperando: opcional(escolha(['sim'])),
  apos: opcional(texto(1, 60)),
} as const;

export type FiltroDaTela = Omit<FiltroDaFila, 'visao' | 'usuarioId' | 'esperando'> & {
  readonly esperando?: 'sim' | undefined;
};

/** The filters of a view. What somebody is choosing stays when the list is shown anew. */
export function filtros(visao: string, filtro: FiltroDaTela, responsaveis: readonly Responsavel[]): Html {
  const fechados = visao === 'fechados';
  const situacoes = opcoesDe(SITUACOES).filter(
    ({ valor }) => (valor === 'solucionado' || valor === 'cancelado') === fechados,
  );
  const quemAtende = [
    { valor: 'ninguem', texto: 'ninguém' },
    ...responsaveis.map(({ id: valor, nome }) => ({ valor: String(valor), texto: nome })),
  ];
  return html`<form class="filtros" method="get" action="${BASE}/chamados" hx-morph-skip>
    ${visao === 'fila' ? null : escondido('visao', visao)}
    ${um('situacao', 'Situação', 'todas', situacoes, filtro.situacao)}
    ${um('categoria', 'Categoria', 'todas', opcoesDe(CATEGORIAS), filtro.categoria)}
    ${um('origem', 'Origem', 'todas', opcoesDe(ORIGENS), filtro.origem)}
    ${visao === 'meus' ? null : um('responsavel', 'Responsável', 'todos', quemAtende, filtro.responsavel)}
    ${
      fechados
        ? null
        : um(
            'esperando',
            'Quem falou por último',
            'tanto faz',
            [{ valor: 'sim', texto: 'espera a equipe' }],
            filtro.esperando,
          )
    }
    <button class="btn">Filtrar</button>
  </form>`;
}

const um = (
  nome: string,
  rotulo: string,
  todos: string,
  opcoes: readonly Opcao[],
  atual: string | number | undefined,
): Html =>
  html`<div>
    <label class="form-label" for="filtro-${nome}">${rotulo}</label>
    <select class="form-select" id="filtro-${nome}" name="${nome}">
      <option value="">${todos}</option>
      ${opcoes.map((uma) => opcao(uma, String(atual ?? '')))}
    </select>
  </div>`;
