import { bem, opcional } from '../../../../domain/campos/campos.ts';
import type { Leitor } from '../../../../domain/campos/campos.ts';
import { data, escolha, id, texto } from '../../../../domain/campos/leitores.ts';
import { CATEGORIAS_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../../../domain/chamados/chamados.types.ts';
import { ORIGENS_DE_CHAMADO, VISOES_DA_FILA } from '../../../../domain/chamados/fila/fila.types.ts';
import type { FiltroDaFila, Responsavel } from '../../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { opcao } from '../../formulario/campos.ts';
import type { Opcao } from '../../formulario/campos.ts';
import { escondido } from '../../formulario/formulario.ts';
import type { Chamada } from '../../rota.ts';
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
  dia: opcional(data),
  aviso: opcional(id),
  apos: opcional(texto(1, 60)),
} as const;

export type FiltroDaTela = Omit<FiltroDaFila, 'visao' | 'usuarioId' | 'esperando'> & {
  readonly esperando?: 'sim' | undefined;
};

const MAIS_AVISOS = 20;
const DIAS_DE_AVISO_MS = 7 * 86_400_000;

/** Notices of the network by which the queue is narrowed: those in force, and those that ended in the last days. */
export async function avisosDaFila({ dominio, agora }: Pick<Chamada, 'dominio' | 'agora'>): Promise<readonly Opcao[]> {
  const avisos = await dominio.avisosDeRede.listar({}, MAIS_AVISOS);
  const desde = agora.getTime() - DIAS_DE_AVISO_MS;
  return avisos
    .filter(({ fim, inicio }) => inicio <= agora && (fim === null || fim.getTime() > desde))
    .map(({ id: valor, titulo, fim }) => ({
      valor: String(valor),
      texto: fim === null ? titulo : `${titulo} (encerrado)`,
    }));
}

/** The filters of a view. What somebody is choosing stays when the list is shown anew. */
export function filtros(
  visao: string,
  filtro: FiltroDaTela,
  responsaveis: readonly Responsavel[],
  avisos: readonly Opcao[],
): Html {
  const fechados = visao === 'fechados';
  const doDia = visao === 'dia';
  const situacoes = opcoesDe(SITUACOES).filter(
    ({ valor }) => doDia || (valor === 'solucionado' || valor === 'cancelado') === fechados,
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
      fechados || doDia
        ? html`<div>
            <label class="form-label" for="filtro-dia">${fechados ? 'Fechado em' : 'Aberto em'}</label>
            <input class="form-control" id="filtro-dia" name="dia" type="date" value="${filtro.dia ?? ''}" />
          </div>`
        : um(
            'esperando',
            'Quem falou por último',
            'tanto faz',
            [{ valor: 'sim', texto: 'espera a equipe' }],
            filtro.esperando,
          )
    }
    ${avisos.length === 0 && filtro.aviso === undefined ? null : um('aviso', 'Aviso de rede', 'tanto faz', comOAtual(avisos, filtro.aviso), filtro.aviso)}
    <button class="btn">Filtrar</button>
  </form>`;
}

/** One that is older than those that are offered is named by its number. */
const comOAtual = (avisos: readonly Opcao[], atual: number | undefined): readonly Opcao[] =>
  atual === undefined || avisos.some(({ valor }) => valor === String(atual))
    ? avisos
    : [...avisos, { valor: String(atual), texto: `Aviso ${atual}` }];

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
