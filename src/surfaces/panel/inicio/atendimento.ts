import type { Atendimento, Espera } from '../../../domain/indicadores/atendimento.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { cartao } from '../componentes/cartao.ts';
import { duracao, escreverData, inteiro, quantos } from '../componentes/escrita.ts';
import { barras, barrasDeitadas, figura } from '../componentes/graficos.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { contadoAs } from './numeros.ts';

const CATEGORIAS: Readonly<Record<string, string>> = {
  TECNICO: 'Técnico',
  FINANCEIRO: 'Financeiro',
  COMERCIAL: 'Comercial',
  INSTALACAO: 'Instalação',
};
const ORIGENS: Readonly<Record<string, string>> = { api: 'API', app: 'App', painel: 'Painel' };

const capitular = (nome: string): string =>
  nome.charAt(0).toUpperCase() + nome.slice(1).toLowerCase().replaceAll('_', ' ');

/** How many tickets come and go, and how long people wait. */
export async function atendimento({ dominio, agora, sessao }: Chamada): Promise<Html> {
  const tudo = await dominio.indicadores.atendimento();
  const as = (de: Date): string => contadoAs(agora, de, sessao.provedor.fusoHorario);
  return html`${cartao('Abertos e solucionados, por dia', porDia(tudo, as(tudo.porDia.de)))}
    <div class="colunas">
      ${cartao('Tempos de espera', esperas(tudo, as(tudo.esperas.de)))}
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
          rotulo: n % 5 === 2 ? `${dia.slice(8)}/${dia.slice(5, 7)}` : '',
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
        { titulo: 'Abertos', direita: true, celula: ({ abertos: novos }) => inteiro(novos) },
        { titulo: 'Solucionados', direita: true, celula: ({ solucionados: feitos }) => inteiro(feitos) },
      ],
      vazia: html``,
    }),
  );
}

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
    categoria === null ? 'Sem categoria' : (CATEGORIAS[categoria] ?? capitular(categoria));
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
        { titulo: 'Origem', celula: ({ origem }) => ORIGENS[origem] ?? capitular(origem) },
        { titulo: 'Chamados', direita: true, celula: ({ quantidade }) => inteiro(quantidade) },
      ],
      vazia: html``,
    }),
  );
}
