import type { Atendimento, Espera } from '../../../domain/indicadores/atendimento.service.ts';
import { CATEGORIAS_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import { ORIGENS_DE_CHAMADO } from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { CATEGORIAS, ORIGENS } from '../chamados/palavras.ts';
import { cartao } from '../componentes/cartao.ts';
import { diaDito, duracao, escreverData, inteiro, quantos } from '../componentes/escrita.ts';
import { barras, barrasDeitadas, figura } from '../componentes/graficos.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { contadoAs } from './numeros.ts';

const capitular = (nome: string): string =>
  nome.charAt(0).toUpperCase() + nome.slice(1).toLowerCase().replaceAll('_', ' ');

const FILA = html`<a class="btn" href="${BASE}/chamados">Ver a fila</a>`;
const FECHADOS = html`<a class="btn" href="${BASE}${comConsulta('/chamados', { visao: 'fechados' })}"
  >Ver os fechados</a
>`;

/** How many tickets come and go, and how long people wait. */
export async function atendimento({ dominio, agora, sessao }: Chamada): Promise<Html> {
  const tudo = await dominio.indicadores.atendimento();
  const as = (de: Date): string => contadoAs(agora, de, sessao.provedor.fusoHorario);
  return html`${cartao('Abertos e solucionados, por dia', porDia(tudo, as(tudo.porDia.de)), { acoes: html`${FILA} ${FECHADOS}` })}
    <div class="colunas">
      ${cartao('Tempos de espera', esperas(tudo, as(tudo.esperas.de)), { acoes: FECHADOS })}
      ${cartao('Por categoria e origem', porCategoria(tudo, as(tudo.porCategoria.de)))}
    </div>`;
}

function porDia({ porDia: { valor: dias } }: Atendimento, as: string): Html {
  const abertos = dias.reduce((soma, um) => soma + um.abertos, 0);
  const solucionados = dias.reduce((soma, um) => soma + um.solucionados, 0);
  const pior = dias.toSorted((a, b) => b.abertos - a.abertos)[0];
  const achado =
    pior === undefined || abertos === 0
      ? `Nenhum chamado foi aberto em 30 dias; ${quantos(solucionados, 'foi solucionado', 'foram solucionados')}.`
      : `${quantos(abertos, 'chamado aberto', 'chamados abertos')} e ${quantos(solucionados, 'solucionado', 'solucionados')} em 30 dias; o dia com mais foi ${escreverData(pior.dia)}, com ${inteiro(pior.abertos)}.`;
  return figura(
    achado + as,
    html`${barras(
        dias.map(({ dia, abertos: novos, solucionados: feitos }, n) => ({
          rotulo: n % 5 === 2 ? diaDito(dia) : '',
          valor: novos,
          outro: feitos,
          dito: `${escreverData(dia)}: ${novos} abertos, ${feitos} solucionados`,
        })),
        'Chamados abertos e solucionados em cada um dos últimos 30 dias',
      )}
      <p class="legenda"><span class="g-marca"></span> abertos <span class="g-marca g-marca2"></span> solucionados</p>`,
    tabela({
      legenda: 'Chamados por dia',
      linhas: dias.toReversed(),
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverData(dia) },
        { titulo: 'Abertos', direita: true, celula: ({ dia, abertos: novos }) => doDia(novos, { visao: 'dia', dia }) },
        {
          titulo: 'Solucionados',
          direita: true,
          celula: ({ dia, solucionados: feitos }) => doDia(feitos, { visao: 'fechados', situacao: 'solucionado', dia }),
        },
      ],
      vazia: html``,
    }),
  );
}

/** A number that leads to its list. */
const doDia = (n: number, filtro: Readonly<Record<string, string>>): Html | string =>
  n === 0 ? '0' : html`<a href="${BASE}${comConsulta('/chamados', filtro)}">${inteiro(n)}</a>`;

const tempo = (segundos: number | null): string => (segundos === null ? '–' : duracao(segundos * 1000));

function esperas({ esperas: { valor } }: Atendimento, as: string): Html {
  const { primeiraResposta, solucao, medidos } = valor;
  if (medidos === 0) {
    return vazio('clock', 'Nada a medir ainda', 'Os tempos são dos chamados fechados nos últimos 30 dias.');
  }
  const linhas: readonly (readonly [string, Espera])[] = [
    ['Primeira resposta', primeiraResposta],
    ['Solução', solucao],
  ];
  const resposta =
    primeiraResposta.mediana === null
      ? 'Nenhum dos fechados teve resposta da equipe'
      : `Metade teve a primeira resposta em até ${tempo(primeiraResposta.mediana)}`;
  const fim = solucao.mediana === null ? '' : ` e a solução em até ${tempo(solucao.mediana)}`;
  return html`<p>${resposta}${fim}, de ${quantos(medidos, 'chamado fechado', 'chamados fechados')} em 30 dias.${as}</p>
    ${tabela({
      legenda: 'Tempos de espera dos chamados fechados em 30 dias',
      linhas,
      colunas: [
        { titulo: 'Até', principal: true, celula: ([nome]) => nome },
        { titulo: 'Metade em', direita: true, celula: ([, { mediana }]) => tempo(mediana) },
        { titulo: '9 de 10 em', direita: true, celula: ([, { p90 }]) => tempo(p90) },
      ],
      vazia: html``,
    })}`;
}

function porCategoria({ porCategoria: { valor } }: Atendimento, as: string): Html {
  if (valor.length === 0) {
    return vazio('ticket', 'Nenhum chamado em 30 dias', 'De onde vêm e do que tratam aparece aqui.');
  }
  const total = valor.reduce((soma, { quantidade }) => soma + quantidade, 0);
  const nome = (categoria: string | null): string =>
    categoria === null ? 'Sem categoria' : (umDe(CATEGORIAS_DE_CHAMADO, categoria, CATEGORIAS) ?? capitular(categoria));
  const categorias = new Map<string, number>();
  for (const { categoria, quantidade } of valor) {
    categorias.set(nome(categoria), (categorias.get(nome(categoria)) ?? 0) + quantidade);
  }
  const ordenadas = [...categorias].toSorted((a, b) => b[1] - a[1]);
  const [primeira = ['', 0] as const] = ordenadas;
  return figura(
    `${primeira[0]} é a categoria de ${inteiro(Math.round((primeira[1] / total) * 100))} % dos ${quantos(total, 'chamado', 'chamados')} abertos em 30 dias.${as}`,
    barrasDeitadas(
      ordenadas.map(([rotulo, quantidade]) => ({
        rotulo,
        valor: quantidade,
        dito: `${rotulo}: ${quantos(quantidade, 'chamado', 'chamados')}`,
      })),
      'Chamados abertos em 30 dias, por categoria',
    ),
    tabela({
      legenda: 'Chamados por categoria e origem',
      linhas: valor,
      colunas: [
        { titulo: 'Categoria', principal: true, celula: ({ categoria }) => nome(categoria) },
        { titulo: 'Origem', celula: ({ origem }) => umDe(ORIGENS_DE_CHAMADO, origem, ORIGENS) ?? capitular(origem) },
        { titulo: 'Chamados', direita: true, celula: quantosDaFila },
      ],
      vazia: html``,
    }),
  );
}

/** How a value is called that lists can be narrowed by; null of others, as rows of other systems may have. */
const umDe = <T extends string>(
  todos: readonly T[],
  valor: string,
  nomes: Readonly<Record<T, string>>,
): string | null => {
  const achado = todos.find((um) => um === valor);
  return achado === undefined ? null : nomes[achado];
};

/** A number that leads to the queue, narrowed as the number is; where it cannot be narrowed so, a number alone. */
function quantosDaFila({ categoria, origem, quantidade }: Atendimento['porCategoria']['valor'][number]): Html | string {
  const estreita =
    categoria !== null &&
    umDe(CATEGORIAS_DE_CHAMADO, categoria, CATEGORIAS) !== null &&
    umDe(ORIGENS_DE_CHAMADO, origem, ORIGENS) !== null;
  if (!estreita) return inteiro(quantidade);
  return html`<a href="${BASE}${comConsulta('/chamados', { categoria, origem })}">${inteiro(quantidade)}</a>`;
}
