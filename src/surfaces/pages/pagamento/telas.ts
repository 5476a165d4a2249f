import { emAtraso, valeAte } from '../../../brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import {
  escreverCpfCnpj,
  escreverData,
  escreverLinhaDigitavel,
  escreverReais,
} from '../../../brazil/dinheiro/escrita.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { estadoDaCobranca } from '../../../domain/cobrancas/estado.regras.ts';
import type { Cobranca } from '../../../domain/cobrancas/cobrancas.types.ts';
import type { BoletoDaFatura, Fatura, PixDaFatura, SegundaVia } from '../../../domain/faturas/faturas.types.ts';
import { documento, recado } from '../documento.ts';

import type { Page } from '../../../kit/html/document.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { desenharQr } from '../../../kit/html/qr.ts';
import { SCRIPT } from './script.ts';

/** The page of an invoice's PIX. Of a code that carries no amount it says none either: the payer's bank does. */
export function telaDoPix(cobranca: Cobranca, segundaVia: SegundaVia, pix: PixDaFatura, caminhos: Caminhos): Page {
  const semValor = pix.valor === null;
  const corpo = html`
    <h1>Pagar com PIX</h1>
    ${semValor ? html`<p>${VALOR_NO_BANCO}</p>` : quantia(cobranca)}
    <section>${copiaECola(pix.codigo)} ${figura(pix.codigo)}</section>
    <section>
      <h2>Detalhes</h2>
      <dl>${quem(cobranca)} ${semValor ? null : conta(cobranca)}</dl>
      ${
        atrasada(cobranca) && !semValor
          ? html`<p class="dica">O código é refeito a cada dia, com os encargos do dia: use sempre o desta página.</p>`
          : null
      }
    </section>
    <section>
      <h2>Como pagar</h2>
      <ol>
        <li>Toque em “Copiar código PIX” e abra o aplicativo do seu banco.</li>
        <li>Escolha PIX copia e cola e cole o código, ou leia o QR code de outra tela.</li>
        <li>Confira o nome de quem recebe e o valor${semValor ? ' que o aplicativo mostra' : ''}, e confirme.</li>
      </ol>
      <p>Esta página percebe o pagamento sozinha, em alguns segundos.</p>
    </section>
    ${segundaVia.boleto === null ? null : html`<a class="botao outro" href="${caminhos.pagar}">Outras formas de pagar</a>`}
  `;
  return daFatura('Pagar com PIX', cobranca, corpo);
}

/** The page with all the ways that an invoice can be paid. */
export function telaDePagamento(cobranca: Cobranca, segundaVia: SegundaVia, caminhos: Caminhos): Page {
  const { pix, boleto } = segundaVia;
  // What we make of the day's charges is not what the code asks for where the PSP reckons them.
  const semValor = pix?.valor === null;
  const corpo = html`
    <h1>Pagar a fatura</h1>
    ${semValor ? null : quantia(cobranca)}
    <section>
      <h2>Detalhes</h2>
      <dl>${quem(cobranca)} ${semValor ? null : conta(cobranca)}</dl>
    </section>
    ${
      pix === null
        ? null
        : html`<section>
            <h2>PIX</h2>
            <p>${semValor ? `${VALOR_NO_BANCO} ` : null}O pagamento é percebido em segundos.</p>
            ${copiaECola(pix.codigo)}
            <a class="botao outro" href="${caminhos.pix}">Ver o QR code</a>
          </section>`
    }
    ${boleto === null ? null : secaoDoBoleto(cobranca, boleto, semValor, segundaVia.pdf === null ? null : caminhos.boleto)}
  `;
  return daFatura('Pagar a fatura', cobranca, corpo);
}

const VALOR_NO_BANCO = 'O valor a pagar aparece no aplicativo do seu banco, ao ler o código.';

/** Where an invoice's pages live. */
export interface Caminhos {
  readonly pix: string;
  readonly pagar: string;
  readonly boleto: string;
}

/** What is said where an invoice's boleto is asked for and there is none to print. */
export function telaSemBoleto(cobranca: Cobranca, { pagar }: Caminhos): Page {
  const { fatura } = cobranca;
  if ((fatura.segundaVia?.linkPagamento ?? null) === null || fatura.aPagar === 0) return telaSemPagamento(cobranca);
  const corpo = html`<h1>Sem boleto</h1>
    <p>${nomeDa(cobranca)}: ${motivoSemBoleto(fatura)}</p>
    ${fatura.segundaVia?.pix?.valor === null ? null : html`<p>Falta pagar ${escreverReais(fatura.aPagar)}.</p>`}
    <a class="botao" href="${pagar}">Ver como pagar</a>`;
  return documento({ titulo: 'Sem boleto', de: cobranca, corpo });
}

function motivoSemBoleto({ segundaVia, valorPago, abatido }: Fatura): string {
  if (valorPago > 0) return 'parte já foi paga, e o boleto cobraria o valor inteiro de novo.';
  if (abatido > 0) return 'ela tem desconto, e o boleto cobraria o valor inteiro.';
  const { boleto = null, retirado } = segundaVia ?? {};
  if ((retirado?.boleto ?? null) === null) return 'ela não tem um boleto que possa ser impresso.';
  return boleto === null
    ? 'o boleto emitido não confere com ela e foi retirado.'
    : 'o boleto não pode ser impresso, mas a linha digitável dele vale.';
}

/** What is said of an invoice that there is nothing to pay of, or no way. */
export function telaSemPagamento(cobranca: Cobranca): Page {
  const { fatura, provedor } = cobranca;
  const valorPago = escreverReais(fatura.valorPago);
  switch (fatura.situacao) {
    case 'paga': {
      const quando = fatura.pagoEm === null ? '' : ` em ${escreverData(hojeEm(provedor.fusoHorario, fatura.pagoEm))}`;
      return recado(
        'Fatura paga',
        cobranca,
        fatura.valorPago === 0
          ? `${nomeDa(cobranca)} não tem valor em aberto.`
          : `${nomeDa(cobranca)}: recebemos ${valorPago}${quando}. Obrigado!`,
        'Não é preciso fazer mais nada.',
      );
    }
    case 'processando':
      return daFatura(
        'Pagamento em processamento',
        cobranca,
        html`<h1>Pagamento em processamento</h1>
          <p>${nomeDa(cobranca)}: o banco está confirmando o pagamento, o que pode levar até três dias úteis.</p>
          <p>Não é preciso pagar de novo. Esta página avisa quando estiver tudo certo.</p>`,
      );
    case 'cancelada':
      return recado(
        'Fatura cancelada',
        cobranca,
        `${nomeDa(cobranca)} foi cancelada e não precisa ser paga.`,
        `Em caso de dúvida, fale com ${provedor.nome}.`,
      );
    case 'estornada':
      return recado(
        'Pagamento devolvido',
        cobranca,
        `O pagamento de ${nomeDa(cobranca)} foi devolvido a quem pagou.`,
        `Para saber o que fazer, fale com ${provedor.nome}.`,
      );
    case 'pendente':
    case 'vencida':
      break;
  }
  if (fatura.aPagar === 0) return recado('Nada a pagar', cobranca, `${nomeDa(cobranca)} não tem valor em aberto.`);
  return recado(
    'Pagamento por outro meio',
    cobranca,
    `${nomeDa(cobranca)}, de ${escreverReais(fatura.aPagar)}, não pode ser paga por este link.`,
    `Fale com ${provedor.nome} para saber como pagar.`,
  );
}

export const telaDesconhecida = (): Page =>
  recado(
    'Link não encontrado',
    null,
    'Não há fatura neste endereço. Ele pode ter sido copiado pela metade: abra de novo o link que você recebeu.',
    'Se não der certo, peça a segunda via ao seu provedor.',
  );

function daFatura(titulo: string, cobranca: Cobranca, corpo: Html): Page {
  const acompanhado = html`<div data-estado="${estadoDaCobranca(cobranca)}">${corpo}</div>`;
  return documento({ titulo, de: cobranca, corpo: acompanhado, script: SCRIPT, consulta: true });
}

function nomeDa({ fatura }: Cobranca): string {
  return fatura.descricao ?? `Fatura ${fatura.id}`;
}

/** Whether there may be charges, which an invoice that is `vencida` over a weekend has not. */
function atrasada({ fatura, provedor, hoje }: Cobranca): boolean {
  return emAtraso(fatura.vencimento, hoje, provedor.regras.calendario);
}

function quantia(cobranca: Cobranca): Html {
  const { fatura, provedor, hoje } = cobranca;
  const ate = escreverData(valeAte(fatura.vencimento, hoje, provedor.regras.calendario));
  return html`<p class="total">${escreverReais(fatura.aPagar)}</p>
    <p>${atrasada(cobranca) ? `a pagar hoje, ${ate}` : `a pagar até ${ate}`}</p>`;
}

const detalhe = (nome: string, valor: string): Html =>
  html`<dt>${nome}</dt>
    <dd>${valor}</dd>`;

/** What is paid, to whom and until when. The payer's bank shows the name that the code carries. */
function quem(cobranca: Cobranca): Html {
  const { fatura, provedor, identidade } = cobranca;
  const recebe = fatura.segundaVia?.pix?.recebedor ?? identidade.razaoSocial ?? provedor.nome;
  return html`${detalhe('Fatura', nomeDa(cobranca))} ${detalhe('Quem recebe', recebe)}
  ${provedor.cnpj === null ? null : detalhe('CNPJ', escreverCpfCnpj(provedor.cnpj))}
  ${detalhe('Vencimento', escreverData(fatura.vencimento))}`;
}

/** What is to be paid today, and how it comes about. */
function conta(cobranca: Cobranca): Html {
  const { fatura } = cobranca;
  const comEncargos = atrasada(cobranca);
  const abatido = centavos(Math.min(fatura.abatido, fatura.valor + fatura.multa + fatura.juros - fatura.aPagar));
  const recebido = centavos(fatura.valor + fatura.multa + fatura.juros - fatura.aPagar - abatido);
  return html`${detalhe('Valor', escreverReais(fatura.valor))}
    ${comEncargos ? detalhe('Multa', escreverReais(fatura.multa)) : null}
    ${comEncargos ? detalhe('Juros', escreverReais(fatura.juros)) : null}
    ${abatido === 0 ? null : detalhe('Descontos e créditos', `− ${escreverReais(abatido)}`)}
    ${recebido === 0 ? null : detalhe('Já recebido', `− ${escreverReais(recebido)}`)}
    <dt class="soma">Total</dt>
    <dd class="soma">${escreverReais(fatura.aPagar)}</dd>`;
}

function copiaECola(codigo: string): Html {
  return copiavel('pix', 'PIX copia e cola', codigo, 'Copiar código PIX', 3);
}

/** @param dizQuanto whether to say what the boleto is of, where no total stands above it. */
function secaoDoBoleto(
  cobranca: Cobranca,
  { linhaDigitavel }: BoletoDaFatura,
  dizQuanto: boolean,
  pdf: string | null,
): Html {
  const { fatura } = cobranca;
  return html`<section>
    <h2>${fatura.tipo === 'carne' ? 'Carnê' : 'Boleto'}</h2>
    ${
      atrasada(cobranca)
        ? html`<p>O boleto é de ${escreverReais(fatura.valor)}; quem soma multa e juros é o banco, ao pagar.</p>`
        : html`<p>
            ${dizQuanto ? `O boleto é de ${escreverReais(fatura.valor)}. ` : null}O pagamento é percebido em até três
            dias úteis.
          </p>`
    }
    ${copiavel('linha', 'Linha digitável', escreverLinhaDigitavel(linhaDigitavel), 'Copiar linha digitável', 2)}
    ${pdf === null ? null : html`<a class="botao outro" href="${pdf}">Abrir o PDF</a>`}
  </section>`;
}

/** A code to be copied: with the script by a tap, without it by hand. */
function copiavel(id: string, rotulo: string, texto: string, botao: string, linhas: number): Html {
  return html`<button type="button" data-copia="${id}" hidden>${botao}</button>
    <p class="dito" id="${id}-dito" role="status"></p>
    <label for="${id}">${rotulo}</label>
    <textarea id="${id}" rows="${linhas}" readonly spellcheck="false" autocomplete="off">${texto}</textarea>`;
}

function figura(codigo: string): Html {
  return html`<figure>
    ${desenharQr(codigo)}
    <figcaption>Leia com a câmera no aplicativo do seu banco.</figcaption>
  </figure>`;
}
