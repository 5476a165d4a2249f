import { centavos, somarDinheiro } from '../../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../../brazil/dinheiro/dinheiro.ts';
import type { Composicao } from '../../../../domain/faturas/composicao/composicao.service.ts';
import type { Fatura } from '../../../../domain/faturas/faturas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao, ficha } from '../../componentes/cartao.ts';
import { dia, escreverReais } from '../../componentes/escrita.ts';
import type { Sessao } from '../../sessao.ts';
import { AJUSTES, FORMAS, LANCAMENTOS } from '../termos.ts';

/** A line of how what is owed comes about. */
interface Parcela {
  readonly oque: string;
  /** Negative where it lowers what is owed. */
  readonly valor: Centavos;
  /** Of a payment or an adjustment: its instant. */
  readonly em: Date | null;
}

const menos = (valor: Centavos): Centavos => centavos(0 - valor);

/**
 * The lines whose sum is what an open invoice asks for today. What is in no line of its own, such as a payment of which a bank's file told
 * no date, or more than was owed, is a last one, so that the sum is always true.
 */
function somaDeHoje(fatura: Fatura, { pix, baixas, ajustes }: Composicao): Parcela[] {
  const valem = <L extends { readonly desfeito: boolean; readonly valor: Centavos; readonly devolvido: Centavos }>(
    linhas: readonly L[],
  ): L[] => linhas.filter(({ desfeito, valor, devolvido }) => !desfeito && valor > devolvido);
  const linhas: Parcela[] = [
    { oque: 'Valor da fatura', valor: fatura.valor, em: null },
    ...(fatura.multa > 0 ? [{ oque: 'Multa', valor: fatura.multa, em: null }] : []),
    ...(fatura.juros > 0 ? [{ oque: 'Juros até hoje', valor: fatura.juros, em: null }] : []),
    ...valem(ajustes).map(({ tipo, valor, em }) => ({ oque: AJUSTES[tipo] ?? tipo, valor: menos(valor), em })),
    ...valem(pix).map(({ valor, devolvido, em }) => ({
      oque: 'Pago por PIX',
      valor: menos(centavos(valor - devolvido)),
      em,
    })),
    ...valem(baixas).map(({ forma, valor, em }) => ({
      oque: `Pago: ${(FORMAS[forma] ?? forma).toLowerCase()}`,
      valor: menos(valor),
      em,
    })),
  ];
  const resto = centavos(fatura.aPagar - somarDinheiro(...linhas.map(({ valor }) => valor)));
  return resto === 0 ? linhas : [...linhas, { oque: 'Outros lançamentos', valor: resto, em: null }];
}

/** What is owed today, line by line; of an invoice that is not open, what it was and what came in. */
export function valores(fatura: Fatura, composicao: Composicao, sessao: Sessao): Html {
  const { fusoHorario } = sessao.provedor;
  if (fatura.segundaVia === null) {
    return cartao(
      'Valores',
      ficha([
        ['Valor', escreverReais(fatura.valor)],
        ['Recebido', escreverReais(fatura.valorPago)],
        ['Descontos e créditos', fatura.abatido > 0 ? escreverReais(fatura.abatido) : null],
        ...composicao.lancamentos.map(({ tipo, valor, usado }): readonly [string, string] => [
          LANCAMENTOS[tipo] ?? tipo,
          usado > 0
            ? `${escreverReais(valor)}, dos quais ${escreverReais(usado)} viraram crédito`
            : escreverReais(valor),
        ]),
      ]),
    );
  }
  return cartao(
    'Quanto se deve hoje',
    html`<table class="table tabela soma">
      <caption class="invisivel">
        Como se chega ao valor de hoje
      </caption>
      <tbody>
        ${somaDeHoje(fatura, composicao).map(
          ({ oque, valor, em }) =>
            html`<tr>
              <th scope="row" class="fw-normal">
                ${oque}${em === null ? null : html` <span class="text-secondary">em ${dia(fusoHorario, em)}</span>`}
              </th>
              <td class="direita">${valor < 0 ? `− ${escreverReais(menos(valor))}` : escreverReais(valor)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">A pagar hoje</th>
          <td class="direita fw-bold">${escreverReais(fatura.aPagar)}</td>
        </tr>
      </tfoot>
    </table>`,
    { rente: true },
  );
}
