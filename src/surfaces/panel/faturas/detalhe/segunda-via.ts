import { escreverLinhaDigitavel } from '../../../../brazil/dinheiro/escrita.ts';
import type { Fatura, SegundaVia } from '../../../../domain/faturas/faturas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { desenharQr } from '../../../../kit/html/qr.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { escreverReais } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import { botao } from '../../formulario/formulario.ts';
import { daqui } from '../../pedido.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';

const DO_BOLETO: Readonly<Record<NonNullable<SegundaVia['retirado']['boleto']>, string>> = {
  linha_ilegivel: 'a linha digitável não pode ser lida',
  outras_barras: 'o código de barras não é o da linha digitável',
  outro_valor: 'o boleto é de outro valor',
  outro_vencimento: 'o boleto é de outro vencimento',
  outro_nosso_numero: 'o nosso número não é o que a linha traz',
  outro_banco: 'o banco da conta é outro, e por isso não há PDF',
  outra_agencia: 'a agência da conta é outra, e por isso não há PDF',
  outra_carteira: 'a carteira da conta é outra, e por isso não há PDF',
};

const DO_PIX: Readonly<Record<NonNullable<SegundaVia['retirado']['pix']>, string>> = {
  codigo_ilegivel: 'o código guardado não pode ser lido',
  codigo_estatico: 'o código guardado não traz a identificação da fatura',
  outro_txid: 'o código guardado é de outra cobrança',
  outro_valor: 'o código guardado pede outro valor',
  paga_em_parte: 'uma parte já foi paga, e o código pediria tudo de novo',
};

/** Why the boleto is not there yet, or no more. */
const NO_BANCO: Readonly<Record<Exclude<NonNullable<Fatura['boletoSituacao']>, 'registrado'>, string>> = {
  a_registrar: 'Boleto: vai ao banco na próxima remessa; até ser registrado não pode ser pago.',
  enviado: 'Boleto: está numa remessa; até o banco o registrar não pode ser pago.',
  rejeitado: 'Boleto: o banco o rejeitou. Veja por quê em “Boletos no banco”.',
  baixado: 'Boleto: o banco o baixou, e já não pode ser pago.',
};

/** A text that is given to others, with a button that copies it. */
function copiavel(id: string, rotulo: string, valor: string, copiado = valor): Html {
  return html`<div class="campo">
    <div class="form-label" id="${id}-rotulo">${rotulo}</div>
    <div class="segredo mb-2" id="${id}-visto" aria-labelledby="${id}-rotulo" role="group">${valor}</div>
    <input type="hidden" id="${id}" value="${copiado}" />
    <button type="button" class="btn btn-sm" data-copia="${id}">
      ${icone('copy')} Copiar<span class="invisivel"> ${rotulo}</span>
    </button>
  </div>`;
}

/** By what the client can pay an open invoice; null of one that is not open. */
export function segundaVia(
  { id, segundaVia: via, situacao, boletoSituacao }: Fatura,
  origem: string,
  sessao: Sessao,
): Html | null {
  if (via === null) return null;
  const recusado = boletoSituacao === 'rejeitado' || boletoSituacao === 'baixado';
  const deNovo =
    recusado && situacao !== 'vencida' && pode(sessao, 'cobranca.faturar')
      ? botao({
          para: `/boletos/faturas/${id}/reenviar`,
          texto: 'Registrar outro boleto no banco',
          valores: { volta: 'fatura' },
        })
      : null;
  const { pix, boleto, retirado } = via;
  const aberto = (link: string | null): string | null => (link === null ? null : daqui(link, origem));
  const [linkPagamento, paginaPix, pdf] = [aberto(via.linkPagamento), aberto(via.paginaPix), aberto(via.pdf)] as const;
  const nada = pix === null && boleto === null;
  const qr =
    pix === null
      ? null
      : html`<div class="qr">${desenharQr(pix.codigo)}</div>
          ${copiavel(
            'pix',
            pix.valor === null ? 'PIX copia e cola' : `PIX copia e cola, ${escreverReais(pix.valor)}`,
            pix.codigo,
          )}
          <p class="text-secondary">
            Recebe: ${pix.recebedor}.
            ${pix.valor !== null && situacao === 'vencida' ? 'Amanhã o valor é outro, e o código também.' : ''}
          </p>`;
  return cartao(
    'Segunda via',
    html`${nada && boletoSituacao === null ? html`<p class="text-secondary m-0">Esta fatura não tem PIX nem boleto: é paga no balcão.</p>` : null}
      ${boletoSituacao === null || boletoSituacao === 'registrado' ? null : aviso('info', NO_BANCO[boletoSituacao])}
      ${deNovo} ${retirado.pix === null ? null : aviso('warning', `O PIX não é oferecido: ${DO_PIX[retirado.pix]}.`)}
      ${retirado.boleto === null ? null : aviso('warning', `Boleto: ${DO_BOLETO[retirado.boleto]}.`)} ${qr}
      ${
        boleto === null
          ? null
          : copiavel('linha', 'Linha digitável', escreverLinhaDigitavel(boleto.linhaDigitavel), boleto.linhaDigitavel)
      }
      ${linkPagamento === null ? null : copiavel('link', 'Link de pagamento', linkPagamento)}
      <div class="acoes">
        ${linkPagamento === null ? null : externo(linkPagamento, 'Abrir página de pagamento')}
        ${paginaPix === null ? null : externo(paginaPix, 'Abrir página do PIX')}
        ${pdf === null ? null : externo(pdf, 'Boleto em PDF')}
        ${nada ? null : botao({ para: `/faturas/${id}/enviar`, texto: 'Enviar por e-mail' })}
      </div>`,
  );
}

/** The page on the host that is open now: where a provider's own address does not lead here yet, the page does. */
const externo = (endereco: string, texto: string): Html =>
  html`<a class="btn" href="${new URL(endereco).pathname}" target="_blank" rel="noopener"
    >${icone('link')} ${texto}</a
  >`;
