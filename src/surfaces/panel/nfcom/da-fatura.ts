import type { Fatura } from '../../../domain/faturas/faturas.types.ts';
import { impedeOutra } from '../../../domain/nfcom/emissao/prazos.regras.ts';
import { SEM_REGISTRO } from '../../../domain/nfcom/nfcom.regras.ts';
import type { AmbienteNfcom, Nfcom, NfcomDaFatura } from '../../../domain/nfcom/nfcom.types.ts';
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

/**
 * The notes of an invoice, one of each of its contracts, and the button that asks for one, where none stands in its way: one that was given
 * up, or a trial's, does not.
 *
 * @param ambiente in which the provider issues notes now
 * @returns null for who does not see notes
 */
export function notaDaFatura(
  fatura: Fatura,
  notas: readonly Nfcom[],
  ambiente: AmbienteNfcom,
  sessao: Sessao,
): Html | null {
  if (!pode(sessao, 'nfcom.ver')) return null;
  const semNota = notas.length === 0 || notas.some((nota) => !impede(nota, ambiente));
  const podeTer = fatura.situacao !== 'cancelada' && fatura.situacao !== 'estornada';
  const espera = fatura.segundaVia !== null && SEM_REGISTRO.includes(fatura.boletoSituacao);
  const emitir =
    semNota && podeTer && !espera && pode(sessao, 'nfcom.emitir')
      ? botao({
          para: `/faturas/${fatura.id}/nfcom`,
          texto: notas.length === 0 ? 'Emitir nota' : 'Emitir outra nota',
          icone: icone('file-text'),
        })
      : null;
  return cartao(
    notas.length > 1 ? 'Notas fiscais' : 'Nota fiscal',
    notas.length === 0
      ? html`<p>${espera ? 'A nota espera que o banco registre o boleto.' : 'Esta fatura não tem nota fiscal.'}</p>`
      : html`${notas.map((nota) => deUma(nota, sessao, notas.length > 1))}`,
    {
      acoes: emitir,
    },
  );
}

const impede = ({ situacao, finalidade, ambiente, rejeicao }: Nfcom, deAgora: AmbienteNfcom): boolean =>
  impedeOutra({ situacao, finalidade, ambiente, motivo_codigo: rejeicao?.codigo ?? null }, deAgora);

function deUma(nota: Nfcom, sessao: Sessao, deVarios: boolean): Html {
  const { id, rejeicao, formatos } = nota;
  const remedio =
    rejeicao === null ? null : remedioDe(rejeicao.codigo ?? '', { faturaId: nota.faturaId, clienteId: nota.clienteId });
  return html`${ficha([
    ['Nota', html`<a href="${BASE}/nfcom/${id}">${numeroDaNota(nota)}</a> ${situacaoDaNota(nota.situacao)}`],
    [
      'Contrato',
      deVarios && nota.contratoId !== null
        ? html`<a href="${BASE}/contratos/${nota.contratoId}">${nota.contratoId}</a>`
        : null,
    ],
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
