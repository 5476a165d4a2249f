import type { Data } from '../../../brazil/calendario/datas.ts';
import type { NotasDoDia } from '../../../domain/nfcom/lista/lista.types.ts';
import { SITUACOES_DE_NFCOM } from '../../../domain/nfcom/nfcom.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { cartao, numero } from '../componentes/cartao.ts';
import { escreverData, inteiro, quantos } from '../componentes/escrita.ts';
import { comConsulta } from '../componentes/tabela.ts';
import { SITUACOES } from '../nfcom/palavras.ts';

/** What became of the notes that a day's work, or somebody, asked for; null where there are none. */
export function notasDoDia(dia: Data, { porSituacao, rejeicoes }: NotasDoDia): Html | null {
  const situacoes = SITUACOES_DE_NFCOM.filter((uma) => porSituacao[uma] > 0);
  if (situacoes.length === 0) return null;
  return cartao(
    `Notas fiscais de ${escreverData(dia)}`,
    html`<div class="numeros">
        ${situacoes.map((situacao) =>
          numero(
            inteiro(porSituacao[situacao]),
            SITUACOES[situacao][0],
            comConsulta('/nfcom', { situacao, de: dia, ate: dia }),
          ),
        )}
      </div>
      ${
        rejeicoes.length === 0
          ? null
          : html`<p class="mb-1">Por que foram rejeitadas:</p>
              <ul class="mb-0">
                ${rejeicoes.map(
                  ({ codigo, motivo, quantas }) =>
                    html`<li>
                      ${quantos(quantas, 'nota', 'notas')}: ${motivo ?? 'sem motivo'}
                      ${codigo === null ? null : html`<span class="text-secondary">(${codigo})</span>`}
                    </li>`,
                )}
              </ul>`
      }`,
  );
}
