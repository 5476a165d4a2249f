import type { Data } from '../../../brazil/calendario/datas.ts';
import type { PassoDado } from '../../../domain/regua/leitura.service.ts';
import { AVISOS_DE_UMA_VEZ } from '../../../domain/regua/avisos.service.ts';
import { ENTREGAS_LISTADAS, NAO_CHEGOU } from '../../../domain/regua/regua.types.ts';
import type { EntregaListada, Passo } from '../../../domain/regua/regua.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { escreverData, escreverReais, instante } from '../componentes/escrita.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import { caixa, conjunto, entrada } from '../formulario/campos.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import { botao, escondido, formulario } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { CANAL, ENTREGA, ENTREGAS, PASSO } from './palavras.ts';

export const REGUA_EM = '/regua';

/** Which steps a list shows. */
export interface Lista {
  readonly dia: Data;
  readonly passo: Passo;
  readonly entrega?: EntregaListada | undefined;
}

const FORMULARIO = 'entregas';
const ROTULOS = { registros: 'Avisos', todas: 'Todos os que o filtro mostra', como: 'Como foram entregues' };

const podeAnotar = (sessao: Sessao): boolean => pode(sessao, 'cobranca.editar', 'faturas.baixar');

/** Links to the client's page of the ladder, and to an invoice. */
export const aoCliente = ({ clienteId, cliente }: Pick<PassoDado, 'clienteId' | 'cliente'>): Html =>
  html`<a href="${BASE}/clientes/${clienteId}/regua">${cliente}</a>`;
export const aFatura = (id: number | null): Html | null =>
  id === null ? null : html`<a href="${BASE}/faturas/${id}">${id}</a>`;

/** Where whoever changed something of a step goes back to: the list that it was pressed in. */
const deOnde = (lista: Lista | null): Record<string, string> =>
  lista === null
    ? {}
    : {
        dia: lista.dia,
        passo: lista.passo,
        ...(lista.entrega === undefined ? {} : { entrega: lista.entrega }),
      };

/** Whether a notice was delivered, and by what; buttons for what people may do about it. */
function entregaDe(sessao: Sessao, lista: Lista | null, um: PassoDado): Html | null {
  const { id, passo, texto, email, canal, entregueEm, entreguePor, entregaComo } = um;
  if (texto === null) return null;
  const { fusoHorario } = sessao.provedor;
  const em = `${REGUA_EM}/registros/${id}`;
  const acao = (nome: string, rotulo: string): Html | null =>
    podeAnotar(sessao)
      ? botao({ para: `${em}/${nome}`, texto: rotulo, classe: 'btn btn-sm', valores: deOnde(lista) })
      : null;
  if (entregueEm !== null) {
    const por = entreguePor ?? CANAL[canal ?? ''] ?? 'canal do provedor';
    return html`<div>
      ${etiqueta('Entregue', 'green')} ${por}, ${instante(fusoHorario, entregueEm)}
      ${entregaComo === null ? null : html`<span class="text-secondary">${entregaComo}</span>`}
      ${canal === 'equipe' ? acao('desfazer', 'Não foi entregue') : null}
    </div>`;
  }
  const repete = passo === 'aviso' && NAO_CHEGOU.some((estado) => estado === email);
  return html`<div>
    ${etiqueta('Sem confirmação', 'orange')}
    ${email === null ? null : html`<span class="inteiro">${ENTREGA[email] ?? null}</span>`}
    ${acao('entrega', 'Foi entregue')} ${repete ? acao('avisar', 'Avisar de novo') : null}
  </div>`;
}

const marca =
  (estado: EstadoDoFormulario) =>
  ({ id, cliente, entregueEm }: PassoDado): Html | null =>
    entregueEm === null
      ? html`<input
          class="form-check-input"
          type="checkbox"
          name="registros"
          value="${id}"
          ${estado.digitado.get('registros')?.includes(String(id)) === true ? html`checked` : null}
          form="${FORMULARIO}"
          aria-label="Marcar o aviso de ${cliente}"
        />`
      : null;

/** Steps that were taken, each with what was said; of a list with their clients, and with boxes where some are to be marked. */
export function tabelaDePassos(
  sessao: Sessao,
  passos: readonly PassoDado[],
  lista: Lista | null,
  marcas: EstadoDoFormulario | null = null,
): Html {
  const tabelada = tabela({
    legenda: 'Passos da régua',
    linhas: passos,
    vazia: vazio('history', 'Nada', 'O que a régua diz e faz fica escrito aqui.'),
    colunas: [
      ...(marcas === null ? [] : [{ titulo: 'Marcar', celula: marca(marcas) }]),
      lista === null
        ? { titulo: 'Passo', principal: true, celula: ({ passo }: PassoDado) => PASSO[passo] }
        : { titulo: 'Cliente', principal: true, celula: aoCliente },
      { titulo: 'Dia', celula: ({ dia }) => escreverData(dia) },
      { titulo: 'Fatura', celula: ({ faturaId }) => aFatura(faturaId) },
      { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
      { titulo: 'Prazo dito', celula: ({ prazo }) => (prazo === null ? null : escreverData(prazo)) },
      { titulo: 'Entrega', celula: (passo) => entregaDe(sessao, lista, passo) },
      {
        titulo: 'Texto',
        celula: ({ titulo, texto }) =>
          texto === null
            ? null
            : html`<details>
                <summary>${titulo}</summary>
                <p class="dito mt-2 mb-0">${texto}</p>
              </details>`,
      },
    ],
  });
  return marcas === null
    ? tabelada
    : html`<div class="mx-3">${conjunto(marcas, { nome: 'registros', rotulo: ROTULOS.registros }, tabelada)}</div>`;
}

/** The choice of which steps of a day are listed. */
export const filtroDaEntrega = ({ dia, passo, entrega }: Lista): Html =>
  html`<nav class="acoes m-3" aria-label="Entrega">
    ${[undefined, ...ENTREGAS_LISTADAS].map(
      (uma) =>
        html`<a
          class="btn btn-sm ${uma === entrega ? 'btn-primary' : ''}"
          href="${BASE}${comConsulta(REGUA_EM, { dia, passo, entrega: uma })}"
          ${uma === entrega ? html`aria-current="true"` : null}
          >${uma === undefined ? 'Todos' : ENTREGAS[uma]}</a
        >`,
    )}
  </nav>`;

/** What is done with the listed notices: noted as delivered, those that are marked or all; or given again. */
export function acoesDaLista(sessao: Sessao, lista: Lista, estado: EstadoDoFormulario): Html | null {
  if (lista.entrega === undefined || !podeAnotar(sessao)) return null;
  const valores = deOnde(lista);
  return html`<div class="m-3">
    ${formulario({
      id: FORMULARIO,
      para: `${REGUA_EM}/entregas`,
      estado,
      rotulos: ROTULOS,
      enviar: 'Foram entregues',
      corpo: html`${Object.entries(valores).map(([nome, valor]) => escondido(nome, valor))}
      ${caixa(estado, {
        nome: 'todas',
        rotulo: ROTULOS.todas,
        dica: `Até ${AVISOS_DE_UMA_VEZ} de cada vez. Sem isto, só os marcados.`,
      })}
      ${entrada(estado, {
        nome: 'como',
        rotulo: ROTULOS.como,
        obrigatorio: true,
        maximo: 200,
        dica: 'Por exemplo: impressos com a fatura, entregues pelo motoboy. Os dias até o bloqueio contam de agora.',
      })}`,
    })}
    ${
      lista.passo === 'aviso' && lista.entrega !== 'sem_confirmacao'
        ? html`<div class="mt-3">
            <p class="mb-2">
              Corrigido o e-mail do cliente ou o servidor, os que não chegaram podem ser ditos outra vez: os dias até o
              bloqueio contam do aviso novo.
            </p>
            ${botao({ para: `${REGUA_EM}/avisar`, texto: 'Avisar de novo quem tem e-mail', valores })}
          </div>`
        : null
    }
  </div>`;
}
