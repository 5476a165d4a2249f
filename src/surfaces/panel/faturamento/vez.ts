import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { texto } from '../../../domain/campos/leitores.ts';
import { FATURAS_POR_PARTE } from '../../../domain/faturamento/desfazer/partes.service.ts';
import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import type { CobrancasDaVez } from '../../../domain/faturamento/execucao/cobrancas.queries.ts';
import type { VezFeita } from '../../../domain/faturamento/faturamento.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante, inteiro } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { andamentoDo, enquantoFaz } from './pedidos.ts';
import { ORIGENS, quem, situacaoDa } from './telas.ts';

export const CONSULTA_DA_VEZ = { depois: opcional(texto(1, 40)) } as const;

/** Among so many orders that of this run is looked for; an older one is told on no page. */
const PEDIDOS_OLHADOS = 50;

/** A run, and the way to take it back. */
export async function telaDaVez(
  {
    dominio,
    parametros: { id },
    consulta: { depois },
    sessao,
  }: Chamada<{ readonly id: number }, ValoresDe<typeof CONSULTA_DA_VEZ>>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const vez = await dominio.faturamento.buscar(id);
  if (vez === null) throw naoEncontrado();
  const cobrancas = await dominio.faturamento.cobrancas(id, depois ?? null);
  const pedidos = vez.desfeitoEm === null ? [] : await dominio.faturamento.pedidos('desfazer', PEDIDOS_OLHADOS);
  const pedido = pedidos.find(({ faturamentoId }) => faturamentoId === id);
  // Its order was lost, such as by a process of an older version: it can be asked for again.
  const semPedido = vez.desfazendo && (pedido === undefined || pedido.terminadoEm !== null);
  const fuso = sessao.provedor.fusoHorario;
  return {
    titulo: `Faturamento de ${escreverData(vez.dia)}`,
    menu: 'faturamento',
    migalhas: [['Faturamento', '/faturamento']],
    corpo: html`${enquantoFaz(
      'desfazer',
      `/faturamento/${id}`,
      vez.desfazendo,
      html`${pedido === undefined ? null : andamentoDo(sessao, pedido)}
      ${semPedido ? botao({ para: `/faturamento/${id}/desfazer`, texto: 'Continuar a desfazer' }) : null}
      ${cartao(
        null,
        ficha([
          ['Situação', situacaoDa(vez)],
          ['Como', ORIGENS[vez.origem]],
          ['Quem', quem(vez)],
          ['Começou', instante(fuso, vez.iniciadoEm)],
          ['Cobranças', inteiro(vez.cobrancas)],
          ['Faturas', inteiro(vez.faturas)],
          ['Total', escreverReais(vez.total)],
          ['Desfeito', vez.desfazendo ? null : instante(fuso, vez.desfeitoEm)],
          ['Desfeito por', vez.desfeitoPor],
        ]),
      )}`,
    )}
    ${
      vez.desfeitoEm === null
        ? cartao(
            null,
            formulario({
              para: `/faturamento/${id}/desfazer`,
              estado,
              rotulos: {},
              enviar: 'Desfazer o faturamento',
              volta: '/faturamento',
              perigoso: true,
              corpo: aviso('warning', oQueDesfaz(vez, sessao)),
            }),
          )
        : null
    }
    ${vez.desfeitoEm !== null && cobrancas.itens.length === 0 ? null : cartao('Cobranças', tabelaDasCobrancas(id, cobrancas, depois === undefined), { rente: true })}`,
  };
}

/** What becomes of the charges of a run that is taken back. */
const DEPOIS = {
  diario: 'Amanhã o trabalho diário faz as cobranças de novo, com os contratos como estiverem.',
  pedido:
    'O trabalho diário faz as cobranças de novo, cada uma no seu dia, a partir de amanhã, com os contratos como estiverem.',
  carne: 'Cada mês passa a ser cobrado no seu dia, como de quem não tem carnê.',
} as const;

function oQueDesfaz({ faturas, origem }: VezFeita, sessao: Sessao): Html {
  const configurar = pode(sessao, 'cobranca.editar')
    ? html`<a href="${BASE}/configuracoes/faturamento">Configurações, Faturamento</a>`
    : 'Configurações, Faturamento';
  return html`<p class="mb-1">
      Desfazer cancela ${faturas === 1 ? 'a fatura' : `as ${inteiro(faturas)} faturas`} deste faturamento, também para
      quem já as recebeu. ${DEPOIS[origem]}
      ${origem === 'carne' ? null : html`Para que não se façam de novo antes de se acertar o que estava errado, apague primeiro o mês em ${configurar}: até que o ponham outra vez, ninguém é faturado.`}
    </p>
    <p class="mb-0">
      Só é possível enquanto nada foi pago, enviado a um banco ou a um PSP, renegociado ou reservado para uma nota
      fiscal, e nenhum contrato com fatura aqui tem cobrança de um mês
      posterior.${faturas > FATURAS_POR_PARTE ? ' São muitas: cancelam-se aos poucos, a página mostra quantas faltam, e não há como parar no meio.' : ''}
    </p>`;
}

const tabelaDasCobrancas = (id: number, { itens, proxima }: CobrancasDaVez, primeira: boolean): Html =>
  html`${tabela({
    legenda: 'Cobranças deste faturamento',
    linhas: itens,
    vazia: vazio('receipt', 'Nenhuma cobrança', 'Este faturamento não cobrou ninguém.'),
    colunas: [
      {
        titulo: 'Contrato',
        principal: true,
        celula: ({ contratoId }) => html`<a href="${BASE}/contratos/${contratoId}">Contrato ${contratoId}</a>`,
      },
      { titulo: 'Mês', celula: ({ competencia }) => mesEscrito(competencia) },
      {
        titulo: 'De quê',
        celula: (uma) =>
          uma.isenta
            ? 'isento'
            : uma.itens.length === 0
              ? 'nada a cobrar: sem serviço no mês, ou já cobrado'
              : uma.itens.length === 1
                ? (uma.itens[0]?.descricao ?? null)
                : uma.itens.map(({ descricao, valor }) => `${descricao}: ${escreverReais(centavos(valor))}`).join('; '),
      },
      { titulo: 'Vence', celula: ({ vencimento }) => escreverData(vencimento) },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      {
        titulo: 'Fatura',
        celula: ({ faturaId }) =>
          faturaId === null ? null : html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
      },
    ],
  })}
  ${paginas({
    total: null,
    anterior: primeira ? null : `/faturamento/${id}`,
    proxima: proxima === null ? null : comConsulta(`/faturamento/${id}`, { depois: proxima }),
  })}`;
