import { randomUUID } from 'node:crypto';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverValor } from '../../../brazil/dinheiro/escrita.ts';
import type { EntradaDoLivro, Proposta } from '../../../domain/recebimentos/conciliacao/conciliacao.types.ts';
import type { DevolucaoDaLista } from '../../../domain/recebimentos/conciliacao/livro.service.ts';
import { EM_CURSO, FORMAS_DE_DEVOLUCAO } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import type { MeioDevolvido } from '../../../domain/recebimentos/devolucoes/devolucoes.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import { area, caixa, entrada as campo, escolha } from '../formulario/campos.ts';
import { preenchido, recusado, valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import { naoEncontrado } from '../recusas.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { tabelaDeDevolucoes } from './listas.ts';
import { FORMAS_DE_DEVOLVER, UM } from './palavras.ts';

type DaEntrada = Chamada<{ readonly id: number }>;

const ROTULOS = { fatura: 'Fatura', valor: 'Valor', motivo: 'Motivo', forma: 'Como', ciente: 'Sei o que isto faz' };

async function exigir({ dominio, parametros: { id } }: DaEntrada, meio: MeioDevolvido): Promise<EntradaDoLivro> {
  const entrada = await dominio.livro.buscar(meio, id);
  if (entrada === null) throw naoEncontrado();
  return entrada;
}

const emCurso = (devolucoes: readonly DevolucaoDaLista[]): Centavos =>
  centavos(
    devolucoes
      .filter(({ situacao }) => EM_CURSO.some((uma) => uma === situacao))
      .reduce((soma, { valor }) => soma + valor, 0),
  );

/** Something that came in: where it is, what it may be of, what was given back of it. */
export async function telaDaEntrada(
  chamada: DaEntrada,
  meio: MeioDevolvido,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const { dominio, sessao } = chamada;
  const entrada = await exigir(chamada, meio);
  const { id, faturaId, valor, devolvido } = entrada;
  const solta = faturaId === null && !entrada.desfeito && meio !== 'manual' && valor > devolvido;
  const [propostas, { itens: devolucoes }] = await Promise.all([
    solta ? dominio.livro.propostas(entrada) : [],
    dominio.livro.devolucoes({ meio, id }),
  ]);
  const resta = valor - devolvido - emCurso(devolucoes);
  return {
    titulo: `${UM[meio]} de ${escreverReais(valor)}`,
    menu: 'conciliacao',
    migalhas: [['Conciliação', '/conciliacao']],
    acoes: html`${
      pode(sessao, 'recebimentos.devolver') && resta > 0 && !entrada.desfeito
        ? html`<a class="btn" href="${BASE}/conciliacao/${meio}/${id}/devolver">Devolver</a>`
        : null
    }
    ${
      pode(sessao, 'conciliacao.aplicar') && entrada.vinculado
        ? botao({ para: `/conciliacao/${meio}/${id}/desvincular`, texto: 'Soltar da fatura' })
        : null
    }`,
    corpo: html`${cartao(
      null,
      ficha([
        ['Pago em', instante(sessao.provedor.fusoHorario, entrada.pagoEm)],
        ['Identificação', html`<span class="quebra">${entrada.identificador}</span>`],
        ['txid', entrada.txid],
        ['Devolvido', devolvido === 0 ? null : escreverReais(devolvido)],
        ['Tarifa do banco', entrada.tarifa === 0 ? null : escreverReais(entrada.tarifa)],
        [
          'Fatura',
          entrada.desfeito
            ? etiqueta('desfeito', 'red')
            : faturaId === null
              ? etiqueta('sem fatura', 'orange')
              : html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
        ],
      ]),
    )}
    ${solta ? dasPropostas(propostas, entrada, estado, pode(sessao, 'conciliacao.aplicar')) : null}
    ${cartao('Devoluções', tabelaDeDevolucoes(devolucoes, sessao), { rente: true })}`,
  };
}

function dasPropostas(
  propostas: readonly Proposta[],
  { meio, id }: EntradaDoLivro,
  estado: EstadoDoFormulario,
  aplica: boolean,
): Html {
  const para = `/conciliacao/${meio}/${id}/vincular`;
  return html`${cartao(
    'De que fatura pode ser',
    html`${
      propostas.length === 0
        ? null
        : html`<p class="text-secondary px-3 pt-3 mb-2">
            As mais prováveis primeiro. Confira com o cliente antes: “É desta” registra o pagamento na fatura, no dia em
            que foi pago.
          </p>`
    }
    ${tabela<Proposta>({
      legenda: 'De que fatura pode ser',
      linhas: propostas,
      vazia: vazio(
        'file-invoice',
        'Nenhuma proposta',
        'Nenhuma fatura aberta pedia este valor por esses dias. Procure-a e diga o número abaixo.',
      ),
      colunas: [
        {
          titulo: 'Fatura',
          principal: true,
          celula: ({ faturaId }) => html`<a href="${BASE}/faturas/${faturaId}">${faturaId}</a>`,
        },
        { titulo: 'Cliente', celula: ({ clienteNome }) => clienteNome },
        { titulo: 'Vence', celula: ({ vencimento }) => escreverData(vencimento) },
        { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
        { titulo: 'Por quê', celula: ({ razoes }) => razoes.join('; ') },
        {
          titulo: 'Vincular',
          celula: ({ faturaId }) =>
            aplica
              ? botao({ para, texto: 'É desta', classe: 'btn btn-sm btn-primary', valores: { fatura: faturaId } })
              : null,
        },
      ],
    })}`,
    { rente: true },
  )}
  ${
    aplica
      ? cartao(
          'Outra fatura',
          formulario({
            para,
            estado,
            rotulos: ROTULOS,
            enviar: 'Vincular',
            corpo: campo(estado, {
              nome: 'fatura',
              rotulo: ROTULOS.fatura,
              teclado: 'numeric',
              obrigatorio: true,
              dica: 'O número da fatura, como está na lista de faturas. Vale o dia em que foi pago.',
            }),
          }),
        )
      : null
  }`;
}

/** The form of a return. What is left stands in it; `chave` makes of a second press one return. */
export async function telaDeDevolver(chamada: DaEntrada, meio: MeioDevolvido, dado: EstadoDoFormulario): Promise<Tela> {
  const { id, valor, devolvido, faturaId } = await exigir(chamada, meio);
  const resta = centavos(
    Math.max(0, valor - devolvido - emCurso((await chamada.dominio.livro.devolucoes({ meio, id })).itens)),
  );
  const novo = preenchido({ valor: resta > 0 ? escreverValor(resta) : null, chave: `painel:${randomUUID()}` });
  const estado = recusado(dado) || valorDe(dado, 'chave') !== '' ? dado : novo;
  const volta = `/conciliacao/${meio}/${id}`;
  return {
    titulo: `Devolver: ${UM[meio]} de ${escreverReais(valor)}`,
    menu: 'conciliacao',
    migalhas: [
      ['Conciliação', '/conciliacao'],
      [`${UM[meio]} ${id}`, volta],
    ],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        html`<p>Podem ser devolvidos ${escreverReais(resta)} de ${escreverReais(valor)}.</p>
          ${
            faturaId === null
              ? null
              : aviso(
                  'warning',
                  'Até o que sobrou da fatura, nada muda nela. O que se devolver além disso pagou alguma coisa: a tela diz o quê, e pede que se confirme.',
                )
          }
          ${formulario({
            para: `${volta}/devolver`,
            estado,
            rotulos: ROTULOS,
            enviar: 'Devolver',
            volta,
            perigoso: true,
            corpo: html`${escondido('chave', valorDe(estado, 'chave'))}
            ${campo(estado, { nome: 'valor', rotulo: ROTULOS.valor, teclado: 'decimal', obrigatorio: true, dica: 'Em reais, como 99,90.' })}
            ${escolha(estado, {
              nome: 'forma',
              rotulo: ROTULOS.forma,
              obrigatorio: meio !== 'pix',
              ...(meio === 'pix' ? { vazia: 'O banco devolve este PIX' } : {}),
              dica:
                meio === 'pix'
                  ? 'O banco devolve até 90 dias depois. Escolha outra forma só se já devolveu.'
                  : 'Como já se devolveu.',
              opcoes: FORMAS_DE_DEVOLUCAO.map((forma) => ({ valor: forma, texto: FORMAS_DE_DEVOLVER[forma] ?? forma })),
            })}
            ${area(estado, { nome: 'motivo', rotulo: ROTULOS.motivo, obrigatorio: true, maximo: 500, linhas: 2 })}
            ${faturaId === null ? null : caixa(estado, { nome: 'ciente', rotulo: ROTULOS.ciente, dica: 'Só é preciso quando se devolve mais do que sobrou.' })}`,
          })}`,
      )}
    </div>`,
  };
}
