import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type {
  DiaDeVencimento,
  FaixaDeAtraso,
  Financeiro,
  SomaDoDia,
} from '../../../domain/indicadores/financeiro.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { diaDito, escreverData, escreverReais, inteiro, quantos } from '../componentes/escrita.ts';
import { barras, barrasDeitadas, figura } from '../componentes/graficos.ts';
import { comConsulta, tabela } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { contadoAs } from './numeros.ts';

/** What came in, what is to come, and what does not come. */
export async function financeiro({ dominio, agora, sessao }: Chamada): Promise<Html> {
  const tudo = await dominio.indicadores.financeiro();
  const as = (de: Date): string => contadoAs(agora, de, sessao.provedor.fusoHorario);
  return html`${cartao('Recebido e vencendo, por dia', recebido(tudo, as(tudo.recebido.de)))}
    ${cartao('Previsto para os próximos 30 dias', previsto(tudo.previsto.valor, as(tudo.previsto.de)))}
    <div class="colunas">
      ${cartao('Vencido, por atraso', atraso(tudo.atraso.valor, hojeEm(sessao.provedor.fusoHorario, agora), as(tudo.atraso.de)))}
      ${cartao('Dias de vencimento', dias(tudo.diasDeVencimento.valor, as(tudo.diasDeVencimento.de)))}
    </div>`;
}

/** A sum that leads to the invoices that it is of; nothing leads nowhere. */
const lista = (valor: Centavos, filtro: Readonly<Record<string, string | null>>): Html | string =>
  valor === 0
    ? escreverReais(valor)
    : html`<a href="${BASE}${comConsulta('/faturas', filtro)}">${escreverReais(valor)}</a>`;

const doDia = (valor: Centavos, situacao: 'aberta' | 'todas' | 'vencida', dia: Data): Html | string =>
  lista(valor, { situacao, vencimento_de: dia, vencimento_ate: dia });

const total = (somas: readonly { readonly valor: Centavos }[]): Centavos =>
  somarDinheiro(...somas.map(({ valor }) => valor));
const reais = (valor: Centavos): number => Math.round(valor / 100);
/** Of many days, every fifth has room for its name. */
const rotuloDe = (dia: string, n: number): string => (n % 5 === 2 ? diaDito(dia) : '');

function recebido({ recebido: veio, vencendo }: Financeiro, as: string): Html {
  const venceu = new Map(vencendo.valor.map(({ dia, valor }) => [dia, valor]));
  const devido = (dia: SomaDoDia['dia']): Centavos => venceu.get(dia) ?? centavos(0);
  const [soma, vencia] = [total(veio.valor), total(vencendo.valor)];
  const melhor = veio.valor.toSorted((a, b) => b.valor - a.valor)[0];
  const parte =
    vencia > 0 ? `, ${inteiro(Math.round((soma / vencia) * 100))} % do que venceu (${escreverReais(vencia)})` : '';
  const achado =
    melhor === undefined || melhor.valor <= 0
      ? `Nada foi recebido em 30 dias; venceram ${escreverReais(vencia)}.`
      : `Recebidos ${escreverReais(soma)} em 30 dias${parte}. O melhor dia foi ${escreverData(melhor.dia)}, com ${escreverReais(melhor.valor)}.`;
  return figura(
    achado + as,
    html`${barras(
        veio.valor.map(({ dia, valor }, n) => ({
          rotulo: rotuloDe(dia, n),
          valor: Math.max(0, reais(valor)),
          outro: reais(devido(dia)),
          dito: `${escreverData(dia)}: recebido ${escreverReais(valor)}, vencendo ${escreverReais(devido(dia))}`,
        })),
        'Recebido e vencendo em cada um dos últimos 30 dias, em reais',
      )}
      <p class="legenda"><span class="g-marca"></span> recebido <span class="g-marca g-marca2"></span> vencendo</p>`,
    tabela({
      legenda: 'Recebido e vencendo por dia',
      linhas: veio.valor.toReversed(),
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverData(dia) },
        {
          titulo: 'Recebido',
          direita: true,
          celula: ({ dia, valor }) => lista(valor, { pago_de: dia, pago_ate: dia }),
        },
        { titulo: 'Pagamentos', direita: true, celula: ({ quantidade }) => inteiro(quantidade) },
        {
          titulo: 'Vencendo',
          direita: true,
          celula: ({ dia }) => doDia(devido(dia), 'todas', dia),
        },
      ],
      vazia: html``,
    }),
  );
}

function previsto(somas: readonly SomaDoDia[], as: string): Html {
  const maior = somas.toSorted((a, b) => b.valor - a.valor)[0];
  const achado =
    maior === undefined || maior.valor === 0
      ? 'Nenhuma fatura em aberto vence nos próximos 30 dias.'
      : `${escreverReais(total(somas))} em aberto vencem em 30 dias; o maior dia é ${escreverData(maior.dia)}, com ${escreverReais(maior.valor)}.`;
  return figura(
    achado + as,
    barras(
      somas.map(({ dia, valor }, n) => ({
        rotulo: rotuloDe(dia, n),
        valor: reais(valor),
        dito: `${escreverData(dia)}: ${escreverReais(valor)}`,
      })),
      'O que vence em cada um dos próximos 30 dias, em reais',
    ),
    tabela({
      legenda: 'O que vence por dia',
      linhas: somas,
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverData(dia) },
        {
          titulo: 'Valor',
          direita: true,
          celula: ({ dia, valor }) => doDia(valor, 'aberta', dia),
        },
        { titulo: 'Faturas', direita: true, celula: ({ quantidade }) => inteiro(quantidade) },
      ],
      vazia: html``,
    }),
  );
}

const nomeDaFaixa = ({ de, ate }: FaixaDeAtraso): string => (ate === null ? `mais de ${de - 1}` : `${de} a ${ate}`);

function atraso(faixas: readonly FaixaDeAtraso[], hoje: Data, as: string): Html {
  const tudo = total(faixas);
  const antigas = total(faixas.filter(({ de }) => de > 30));
  const quantas = faixas.reduce((soma, { quantidade }) => soma + quantidade, 0);
  const achado =
    quantas === 0
      ? 'Nenhuma fatura está vencida.'
      : `${escreverReais(tudo)} em ${quantos(quantas, 'fatura vencida', 'faturas vencidas')}, ${inteiro(tudo > 0 ? Math.round((antigas / tudo) * 100) : 0)} % há mais de 30 dias.`;
  return figura(
    achado + as,
    barrasDeitadas(
      faixas.map((faixa) => ({
        rotulo: `${nomeDaFaixa(faixa)} dias`,
        valor: reais(faixa.valor),
        dito: `${nomeDaFaixa(faixa)} dias: ${escreverReais(faixa.valor)}`,
        classe: faixa.de > 30 ? 'g-ruim' : 'g-barra',
      })),
      'Vencido por dias de atraso, em reais',
    ),
    tabela({
      legenda: 'Vencido por dias de atraso',
      linhas: faixas,
      colunas: [
        { titulo: 'Dias de atraso', principal: true, celula: (faixa) => nomeDaFaixa(faixa) },
        {
          titulo: 'Valor hoje',
          direita: true,
          celula: ({ de, ate, valor }) =>
            lista(valor, {
              situacao: 'vencida',
              vencimento_de: ate === null ? null : somarDias(hoje, -ate),
              vencimento_ate: somarDias(hoje, -de),
            }),
        },
        { titulo: 'Faturas', direita: true, celula: ({ quantidade }) => inteiro(quantidade) },
      ],
      vazia: html``,
    }),
  );
}

const porCento = (parte: number): string => `${inteiro(Math.round(parte * 100))} %`;

function dias(todos: readonly DiaDeVencimento[], as: string): Html {
  const [melhor, pior] = [todos[0], todos.at(-1)];
  if (melhor === undefined || pior === undefined) {
    return html`<p class="text-secondary m-0">Nada venceu nos últimos 30 dias.${as}</p>`;
  }
  const porDia = todos.toSorted((a, b) => a.diaDoMes - b.diaDoMes);
  const achado =
    melhor === pior
      ? `Do que venceu no dia ${melhor.diaDoMes}, ${porCento(melhor.parteEmAberto)} continua em aberto.`
      : `Paga-se melhor o que vence no dia ${melhor.diaDoMes} (${porCento(melhor.parteEmAberto)} em aberto) e pior o do dia ${pior.diaDoMes} (${porCento(pior.parteEmAberto)}).`;
  return figura(
    achado + as,
    barras(
      porDia.map((um) => ({
        rotulo: porDia.length > 12 && um !== melhor && um !== pior ? '' : String(um.diaDoMes),
        valor: Math.round(um.parteEmAberto * 100),
        dito: `dia ${um.diaDoMes}: ${porCento(um.parteEmAberto)} em aberto`,
        classe: um === melhor ? 'g-bom' : um === pior ? 'g-ruim' : 'g-barra',
      })),
      'Parte em aberto do que venceu em cada dia do mês, em por cento',
    ),
    tabela({
      legenda: 'Como se paga em cada dia de vencimento, do melhor ao pior',
      linhas: todos,
      colunas: [
        { titulo: 'Dia do mês', principal: true, celula: ({ diaDoMes }) => diaDoMes },
        { titulo: 'Venceu', direita: true, celula: ({ dia, vencendo }) => doDia(vencendo, 'todas', dia) },
        { titulo: 'Em aberto', direita: true, celula: ({ dia, emAberto }) => doDia(emAberto, 'vencida', dia) },
        { titulo: 'Parte', direita: true, celula: ({ parteEmAberto }) => porCento(parteEmAberto) },
      ],
      vazia: html``,
    }),
  );
}
