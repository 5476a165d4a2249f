import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { escolha, id as leitorDeId, texto } from '../../../domain/campos/leitores.ts';
import { SITUACOES_DE_ENTRADA } from '../../../domain/recebimentos/conciliacao/conciliacao.types.ts';
import type { EntradaDoLivro } from '../../../domain/recebimentos/conciliacao/conciliacao.types.ts';
import type { DevolucaoDaLista } from '../../../domain/recebimentos/conciliacao/livro.service.ts';
import type { MeioDevolvido } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { abas, cartao, etiqueta } from '../componentes/cartao.ts';
import { escreverReais, instante } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { CONSULTA_DO_RECORTE, recorteDe } from './livro.ts';
import { FORMAS_DE_DEVOLVER, MEIOS, UM, situacaoDaDevolucao } from './palavras.ts';

export const CONSULTA_DA_LISTA = {
  ...CONSULTA_DO_RECORTE,
  situacao: opcional(escolha(SITUACOES_DE_ENTRADA)),
  depois: opcional(texto(1, 60)),
} as const;
type Consulta = ValoresDe<typeof CONSULTA_DA_LISTA>;

const MIGALHAS = [['Conciliação', '/conciliacao']] as const;
const SEM_FATURA = '/conciliacao/sem-fatura';

/** What came in by one means in a period. */
export async function telaDaLista(
  { consulta, dominio, sessao, agora }: Chamada<unknown, Consulta>,
  meio: MeioDevolvido,
): Promise<Tela> {
  const { depois = null, situacao = null, ...periodo } = consulta;
  const recorte = recorteDe(periodo, sessao.provedor.fusoHorario, agora);
  const { itens, proxima } = await dominio.livro.listar(meio, { recorte, situacao, depois });
  const semLugar = { ...periodo, situacao };
  return {
    titulo: MEIOS[meio],
    menu: 'conciliacao',
    migalhas: MIGALHAS,
    corpo: html`${abas(
      'Meios',
      (Object.keys(MEIOS) as MeioDevolvido[]).map((um) => ({
        texto: MEIOS[um],
        para: comConsulta(`/conciliacao/${um}`, semLugar),
        atual: um === meio,
      })),
    )}
    ${cartao(
      null,
      html`${tabelaDeEntradas(itens, sessao, 'Nada entrou assim neste período.')}
      ${paginas({
        total: null,
        anterior: depois === null ? null : comConsulta(`/conciliacao/${meio}`, semLugar),
        proxima: proxima === null ? null : comConsulta(`/conciliacao/${meio}`, { ...semLugar, depois: proxima }),
      })}`,
      { rente: true },
    )}`,
  };
}

/** Each of the two lists has its own place. */
export const CONSULTA_SEM_FATURA = {
  depois_pix: opcional(texto(1, 60)),
  depois_boleto: opcional(texto(1, 60)),
} as const;

/** What came without an invoice and waits for a person, of whatever day: PIX and boletos. */
export async function telaSemFatura({
  consulta,
  dominio,
  sessao,
}: Pick<Chamada<unknown, ValoresDe<typeof CONSULTA_SEM_FATURA>>, 'consulta' | 'dominio' | 'sessao'>): Promise<Tela> {
  const pedido = { recorte: null, situacao: 'nao_identificada' } as const;
  const { depois_pix: depoisPix = null, depois_boleto: depoisBoleto = null } = consulta;
  const [pix, boletos] = await Promise.all([
    dominio.livro.listar('pix', { ...pedido, depois: depoisPix }),
    dominio.livro.listar('boleto', { ...pedido, depois: depoisBoleto }),
  ]);
  const outras = (qual: 'depois_pix' | 'depois_boleto', proxima: string | null): Html | null =>
    paginas({
      total: null,
      anterior: consulta[qual] === undefined ? null : comConsulta(SEM_FATURA, { ...consulta, [qual]: null }),
      proxima: proxima === null ? null : comConsulta(SEM_FATURA, { ...consulta, [qual]: proxima }),
    });
  return {
    titulo: 'Dinheiro sem fatura',
    menu: 'conciliacao',
    migalhas: MIGALHAS,
    corpo: html`<p class="text-secondary">
        PIX e boletos de qualquer dia que não se sabe de que fatura são. Abra cada um para ver de qual pode ser,
        vinculá-lo ou devolvê-lo.
      </p>
      ${cartao('PIX', html`${tabelaDeEntradas(pix.itens, sessao)} ${outras('depois_pix', pix.proxima)}`, {
        rente: true,
      })}
      ${cartao(
        'Boletos',
        html`${tabelaDeEntradas(boletos.itens, sessao)} ${outras('depois_boleto', boletos.proxima)}`,
        {
          rente: true,
        },
      )}`,
  };
}

function tabelaDeEntradas(
  itens: readonly EntradaDoLivro[],
  sessao: Sessao,
  vazia = 'Nada espera por uma fatura.',
): Html {
  return tabela<EntradaDoLivro>({
    legenda: 'O que entrou',
    linhas: itens,
    vazia: vazio('circle-check', 'Nada aqui', vazia),
    colunas: [
      {
        titulo: 'Quando',
        principal: true,
        celula: ({ meio, id, pagoEm }) =>
          html`<a href="${BASE}/conciliacao/${meio}/${id}">${instante(sessao.provedor.fusoHorario, pagoEm)}</a>`,
      },
      { titulo: 'Identificação', celula: ({ identificador }) => html`<span class="quebra">${identificador}</span>` },
      {
        titulo: 'Fatura',
        celula: ({ faturaId }) =>
          faturaId === null
            ? etiqueta('sem fatura', 'orange')
            : html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
      },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      {
        titulo: 'Devolvido',
        direita: true,
        celula: ({ devolvido }) => (devolvido === 0 ? null : escreverReais(devolvido)),
      },
    ],
  });
}

/** Invoices to which more came than was owed. */
export async function telaDosExcedentes({ dominio }: Pick<Chamada, 'dominio'>): Promise<Tela> {
  const faturas = await dominio.livro.comExcedente();
  return {
    titulo: 'O que sobrou',
    menu: 'conciliacao',
    migalhas: MIGALHAS,
    corpo: html`<p class="text-secondary">
        Faturas que receberam mais do que deviam, das maiores sobras até mil. Abra a fatura para usar o que sobrou na
        próxima ou devolvê-lo.
      </p>
      ${cartao(
        null,
        tabela({
          legenda: 'O que sobrou',
          linhas: faturas,
          vazia: vazio(
            'circle-check',
            'Nada sobrou',
            'O que se pagar a mais aparece aqui, até que vire crédito ou se devolva.',
          ),
          colunas: [
            {
              titulo: 'Fatura',
              principal: true,
              celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
            },
            {
              titulo: 'Cliente',
              celula: ({ clienteId }) => html`<a href="${BASE}/clientes/${clienteId}">${clienteId}</a>`,
            },
            { titulo: 'Recebeu', direita: true, celula: ({ valorPago }) => escreverReais(valorPago) },
            { titulo: 'Sobrou', direita: true, celula: ({ excedente }) => escreverReais(excedente) },
          ],
        }),
        { rente: true },
      )}`,
  };
}

export const CONSULTA_DAS_DEVOLUCOES = { depois: opcional(leitorDeId) } as const;

/** Returns that people asked for. */
export async function telaDasDevolucoes({
  consulta: { depois },
  dominio,
  sessao,
}: Pick<
  Chamada<unknown, ValoresDe<typeof CONSULTA_DAS_DEVOLUCOES>>,
  'consulta' | 'dominio' | 'sessao'
>): Promise<Tela> {
  const { itens, proxima } = await dominio.livro.devolucoes(null, depois);
  return {
    titulo: 'Devoluções',
    menu: 'conciliacao',
    migalhas: MIGALHAS,
    corpo: cartao(
      null,
      html`${tabelaDeDevolucoes(itens, sessao)}
      ${paginas({
        total: null,
        anterior: depois === undefined ? null : '/conciliacao/devolucoes',
        proxima: proxima === null ? null : comConsulta('/conciliacao/devolucoes', { depois: proxima }),
      })}`,
      { rente: true },
    ),
  };
}

export function tabelaDeDevolucoes(itens: readonly DevolucaoDaLista[], sessao: Sessao): Html {
  return tabela<DevolucaoDaLista>({
    legenda: 'Devoluções',
    linhas: itens,
    vazia: vazio(
      'history',
      'Nenhuma devolução',
      'O que se pedir que seja devolvido aparece aqui, com a resposta do banco.',
    ),
    colunas: [
      {
        titulo: 'De',
        principal: true,
        celula: ({ meio, de }) => html`<a href="${BASE}/conciliacao/${meio}/${de}">${UM[meio]} ${de}</a>`,
      },
      { titulo: 'Pedida em', celula: ({ pedidaEm }) => instante(sessao.provedor.fusoHorario, pedidaEm) },
      { titulo: 'Por', celula: ({ autor }) => autor },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      { titulo: 'Motivo', celula: ({ motivo }) => motivo },
      {
        titulo: 'Situação',
        celula: ({ id, situacao, recusa, forma }) =>
          html`<div>
            ${situacaoDaDevolucao(situacao)} ${forma === null ? null : (FORMAS_DE_DEVOLVER[forma] ?? forma)} ${recusa}
            ${
              situacao === 'pedida' && pode(sessao, 'recebimentos.devolver')
                ? botao({ para: `/conciliacao/devolucoes/${id}/desistir`, texto: 'Desistir', classe: 'btn btn-sm' })
                : null
            }
          </div>`,
      },
    ],
  });
}
