import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import type { Nfcom, NfcomDaFatura } from '../../../domain/nfcom/nfcom.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { instante } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { botao } from '../formulario/formulario.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { numeroDaNota, remedioDe, situacaoDaNota } from './palavras.ts';

/** The newest note of an invoice, or the button that asks for one; null for who does not see notes. */
export function notaDaFatura(fatura: Fatura, nota: Nfcom | null, sessao: Sessao): Html | null {
  if (!pode(sessao, 'nfcom.ver')) return null;
  const semNota = nota === null || nota.situacao === 'cancelada';
  const podeTer = fatura.situacao !== 'cancelada' && fatura.situacao !== 'estornada';
  const emitir =
    semNota && podeTer && pode(sessao, 'nfcom.emitir')
      ? botao({ para: `/faturas/${fatura.id}/nfcom`, texto: 'Emitir nota', icone: icone('file-text') })
      : null;
  return cartao('Nota fiscal', nota === null ? html`<p>Esta fatura não tem nota fiscal.</p>` : deUma(nota, sessao), {
    acoes: emitir,
  });
}

function deUma(nota: Nfcom, sessao: Sessao): Html {
  const { id, rejeicao, formatos } = nota;
  const remedio =
    rejeicao === null ? null : remedioDe(rejeicao.codigo ?? '', { faturaId: nota.faturaId, clienteId: nota.clienteId });
  return html`${ficha([
    ['Nota', html`<a href="${BASE}/nfcom/${id}">${numeroDaNota(nota)}</a> ${situacaoDaNota(nota.situacao)}`],
    ['Ambiente', nota.ambiente === 'homologacao' ? 'Homologação: sem valor fiscal' : null],
    ['Autorizada em', instante(sessao.provedor.fusoHorario, nota.autorizadaEm)],
    ['Rejeitada por', rejeicao === null ? null : (rejeicao.motivo ?? rejeicao.codigo)],
    [
      'O que fazer',
      remedio === null || !pode(sessao, remedio.permissao)
        ? null
        : html`<a href="${BASE}${remedio.para}">${remedio.texto}</a>`,
    ],
  ])}
  ${
    formatos.length === 0
      ? null
      : html`<div class="acoes">
          ${formatos.map((formato) => html`<a class="btn btn-sm" href="${BASE}/nfcom/${id}/baixar/${formato}">${formato.toUpperCase()}</a>`)}
        </div>`
  }`;
}

/** Of an invoice in a list. */
export const notaNaLista = (nota: NfcomDaFatura | undefined): Html | null =>
  nota === undefined
    ? null
    : html`<a href="${BASE}/nfcom/${nota.id}" aria-label="Nota fiscal ${nota.id}">${situacaoDaNota(nota.situacao)}</a>`;
