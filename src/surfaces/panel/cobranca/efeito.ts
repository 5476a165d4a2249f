import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { CamposInvalidos } from '../../../domain/erros.ts';
import { exemploDeEncargos } from '../../../domain/provedores/efeitos/encargos.regras.ts';
import type { RegrasDeEncargos } from '../../../domain/provedores/efeitos/encargos.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { escreverReais, quantos } from '../componentes/escrita.ts';
import type { Chamada } from '../rota.ts';

interface Digitado {
  readonly multa?: string | undefined;
  readonly juros?: string | undefined;
  readonly carencia?: string | undefined;
}

const VALOR = lerDinheiro('99.90');
const DIAS = 10;

/** What rules that nobody has saved yet would make of an invoice, and of how many they would make another. */
export async function efeito(
  { servicos, sessao, dominio }: Pick<Chamada, 'servicos' | 'sessao' | 'dominio'>,
  { multa = '', juros = '', carencia = '' }: Digitado,
): Promise<Html> {
  const { id } = sessao.provedor;
  const regras = await servicos.configuracao.regrasDaForma(id, { multa, juros, carencia }).catch((error: unknown) => {
    if (error instanceof CamposInvalidos) return null;
    throw error;
  });
  const dentro = regras === null ? faltam : dito(regras, (await dominio.efeitos.faturasAfetadas(regras)).valor);
  return html`<div id="efeito" aria-live="polite">${cartao('Com estas regras', dentro)}</div>`;
}

const faltam = html`<p class="text-secondary m-0">
  Preencha multa, juros e carência com números aceitos para ver o exemplo.
</p>`;

function dito(regras: RegrasDeEncargos, faturas: number): Html {
  const { multa, juros, total } = exemploDeEncargos(regras, VALOR, DIAS);
  return html`<p>Uma fatura de ${escreverReais(VALOR)}, paga ${DIAS} dias depois do vencimento:</p>
    ${ficha([
      ['Valor', escreverReais(VALOR)],
      ['Multa', escreverReais(multa)],
      ['Juros', escreverReais(juros)],
      ['A pagar', html`<strong>${escreverReais(total)}</strong>`],
    ])}
    <p class="mt-3 mb-0">
      ${
        faturas === 0
          ? 'Salvar não muda o valor de hoje de nenhuma fatura.'
          : `Salvar muda o valor de hoje de ${quantos(faturas, 'fatura vencida', 'faturas vencidas')}.`
      }
    </p>`;
}
