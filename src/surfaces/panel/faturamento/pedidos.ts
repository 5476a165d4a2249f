import { mesEscrito } from '../../../domain/faturamento/calculo/cobranca.regras.ts';
import { NADA_DESFEITO } from '../../../domain/faturamento/desfazer/partes.service.ts';
import { podeDesistir, podeDesistirDasSeguidas } from '../../../domain/faturamento/pedidos/falhas.service.ts';
import type { PedidoAcompanhado } from '../../../domain/faturamento/execucao/leitura.service.ts';
import type { FalhaDoPedido } from '../../../domain/faturamento/faturamento.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { PEDE_POR_SI } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso } from '../componentes/cartao.ts';
import { escreverData, instante, inteiro, quantos } from '../componentes/escrita.ts';
import { botao } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

/** Up to so many contracts a preview is reckoned while the page is made; of more, the worker does it. */
export const PREVIA_NA_HORA = 1000;

/** A part of a page that is asked for anew every two seconds, as long as the worker has something to do. */
export const enquantoFaz = (id: string, endereco: string, faz: boolean, corpo: Html): Html =>
  html`<div
    id="${id}"
    ${
      faz
        ? html`hx-get="${BASE}${endereco}" hx-select="#${id}" hx-target="#${id}" hx-swap="outerMorph" hx-trigger="every
          2s" ${PEDE_POR_SI}`
        : null
    }
  >
    ${corpo}
  </div>`;

const faturas = (n: number): string => quantos(n, 'fatura', 'faturas');

/** What was asked for, as the beginning of a sentence. */
function oQueE({ tipo, mes }: PedidoAcompanhado): string {
  if (tipo === 'desfazer') return `Desfazer o faturamento de ${escreverData(mes)}`;
  return tipo === 'previa' ? `A prévia de ${mesEscrito(mes)}` : `As faturas de ${mesEscrito(mes)}`;
}

/** How far something that was asked for has come. */
export function andamentoDo(sessao: Sessao, pedido: PedidoAcompanhado): Html {
  const { autor, pedidoEm, terminadoEm } = pedido;
  const quem = html`Pedido por ${autor}, ${instante(sessao.provedor.fusoHorario, pedidoEm)}.`;
  return terminadoEm === null ? emAndamento(sessao, pedido, quem) : terminado(pedido, quem);
}

function terminado(pedido: PedidoAcompanhado, quem: Html): Html {
  const { tipo, motivo, semEfeito } = pedido;
  const oQue = oQueE(pedido);
  if (semEfeito) {
    const porque = 'um worker da versão anterior encerrou o pedido sem desfazer tudo';
    return aviso('warning', html`${oQue}: ${porque}. Em poucos minutos segue num pedido novo. ${quem}`);
  }
  if (motivo !== null) {
    const ficam = tipo === 'faturas' ? ` Já feitas: ${faturas(pedido.faturas)}, que ficam.` : '';
    return aviso('danger', `${oQue}: não se terminou. ${motivo}${ficam}`);
  }
  if (tipo === 'previa') return html``;
  if (tipo === 'faturas') {
    return aviso('success', html`${oQue} estão feitas: ${faturas(pedido.faturas)}. ${quem}`);
  }
  const { desfeitas, ficaram, quais } = pedido.desfeito ?? NADA_DESFEITO;
  const fim = quantos(desfeitas, 'fatura cancelada', 'faturas canceladas');
  if (ficaram === 0) return aviso('success', html`${oQue}: pronto, ${fim}. ${quem}`);
  const { faturamentoId, desistidoPor } = pedido;
  return aviso(
    'warning',
    html`<p class="mb-1">
        ${oQue}: pronto, ${fim}. ${quantos(ficaram, 'fatura ficou como está', 'faturas ficaram como estão')}, porque já
        não se podia, ou não se conseguiu, cancelar.
        ${
          desistidoPor === null
            ? null
            : html`${desistidoPor} desistiu do que não se conseguia desfazer; o que ficou está no
                <a href="${BASE}/faturamento/${faturamentoId ?? 0}">faturamento</a>.`
        }
        ${quem}
      </p>
      <ul class="mb-0">
        ${quais.map(({ fatura, porque }) => html`<li><a href="${BASE}/faturas/${fatura}">Fatura ${fatura}</a>: ${porque}.</li>`)}
        ${ficaram > quais.length ? html`<li>e mais ${inteiro(ficaram - quais.length)}</li>` : null}
      </ul>`,
  );
}

/** What was asked for, asked for again: it is the same order, and wakes whoever has lost it. */
function deNovo({ tipo, mes, faturamentoId }: PedidoAcompanhado) {
  if (tipo === 'desfazer') return { para: `/faturamento/${faturamentoId ?? 0}/desfazer` };
  return {
    para: tipo === 'previa' ? '/faturamento/previa/pedir' : '/faturamento/gerar',
    valores: { mes: mes.slice(0, 7) },
  };
}

/** Of one that has failed: why, and when it is tried again. */
function falhou(sessao: Sessao, { vezes, em, erro, proximaEm }: FalhaDoPedido): Html {
  const fuso = sessao.provedor.fusoHorario;
  const quantas = vezes === 1 ? 'A última tentativa falhou' : `As últimas ${inteiro(vezes)} tentativas falharam`;
  return html`<strong>${quantas}: ${erro.replace(/\.$/, '')}.</strong> ${vezes === 1 ? 'Foi' : 'A última foi'}
    ${instante(fuso, em)}; tenta-se de novo sozinho a partir de ${instante(fuso, proximaEm)}, e o que já se fez fica. Se
    continuar assim, avise quem opera o sistema.`;
}

/** Of a month that comes after an undoing which fails. */
const espera = (sessao: Sessao, { pedidoId, falha }: NonNullable<PedidoAcompanhado['espera']>): Html =>
  html`Espera o desfazer nº ${pedidoId}, que vem antes de qualquer mês. ${falhou(sessao, falha)}`;

function emAndamento(sessao: Sessao, pedido: PedidoAcompanhado, quem: Html): Html {
  const { id, tipo, vistos, total, semNinguem, falha, desfeito } = pedido;
  const falhas = [
    falha === null ? null : falhou(sessao, falha),
    pedido.espera === null ? null : espera(sessao, pedido.espera),
  ].filter((uma) => uma !== null);
  const unidade = tipo === 'desfazer' ? faturas : (n: number) => quantos(n, 'contrato', 'contratos');
  const ate = total === null ? 'na fila' : `${inteiro(vistos)} de ${unidade(Math.max(total, vistos))}`;
  const feitas = {
    previa: '',
    faturas: `, ${faturas(pedido.faturas)}`,
    desfazer: desfeito === null ? '' : `, ${quantos(desfeito.desfeitas, 'cancelada', 'canceladas')}`,
  }[tipo];
  const como = semNinguem
    ? html`<strong>Ninguém está fazendo: avise quem opera o sistema.</strong> Nada andou nos últimos dois minutos.`
    : falhas.length === 0
      ? 'Segue sozinho, também com esta página fechada.'
      : html`${falhas.map((uma) => html`${uma} `)}`;
  const parado = semNinguem || falhas.length > 0;
  const { desistidoPor, faturamentoId } = pedido;
  const desistiu =
    desistidoPor === null
      ? ''
      : ` ${desistidoPor} desistiu do que não se consegue desfazer${pedido.mesmoSeguidas ? ', também do que falha seguido' : ''}.`;
  return html`<div class="card mb-3">
    <div class="card-body">
      <p class="mb-2" ${parado ? html`role="alert"` : null}>
        ${oQueE(pedido)}: ${ate}${feitas}. ${quem}${desistiu} ${como}
      </p>
      <progress class="progress w-100" max="${Math.max(total ?? 0, vistos, 1)}" value="${vistos}">${ate}</progress>
      ${
        pode(sessao, 'cobranca.faturar')
          ? html`<div class="acoes mt-2">
              ${
                tipo === 'desfazer'
                  ? null
                  : botao({
                      para: `/faturamento/pedidos/${id}/parar`,
                      texto: tipo === 'previa' ? 'Parar a prévia' : 'Parar: o que já se fez fica',
                    })
              }
              ${parado ? botao({ ...deNovo(pedido), texto: semNinguem ? 'Mandar de novo' : 'Tentar agora' }) : null}
              ${
                podeDesistir(pedido) || podeDesistirDasSeguidas(pedido)
                  ? html`<a class="btn" href="${BASE}/faturamento/${faturamentoId ?? 0}/desistir"
                      >${podeDesistir(pedido) ? 'Desistir do que não se desfaz' : 'Desistir também das seguidas'}</a
                    >`
                  : null
              }
            </div>`
          : null
      }
    </div>
  </div>`;
}
