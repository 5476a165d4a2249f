import { centavos, somarDinheiro } from '../../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../../brazil/dinheiro/dinheiro.ts';
import type { Composicao } from '../../../../domain/faturas/composicao/composicao.service.ts';
import type { Fatura } from '../../../../domain/faturas/faturas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso } from '../../componentes/cartao.ts';
import { escreverData, escreverReais } from '../../componentes/escrita.ts';

/** Open invoices that are offered; all of them stand at the client. */
const MAIS_OFERECIDAS = 3;

/** What of an invoice's payments was too much, and is still the client's. */
export const sobraDe = ({ lancamentos }: Composicao): Centavos =>
  somarDinheiro(
    ...lancamentos.filter(({ tipo }) => tipo === 'excedente').map(({ valor, usado }) => centavos(valor - usado)),
  );

/** Says what was paid too much, and where it can go. `abertas`: the client's open invoices; null for who may give no credit. */
export function avisoDaSobra({ id }: Fatura, sobra: Centavos, abertas: readonly Fatura[] | null): Html {
  const outras = (abertas ?? []).filter((outra) => outra.id !== id).slice(0, MAIS_OFERECIDAS);
  return aviso(
    'info',
    html`<p class="mb-1"><strong>Sobraram ${escreverReais(sobra)} do que foi pago.</strong></p>
      ${
        abertas === null
          ? null
          : outras.length === 0
            ? html`<p class="mb-1">Nenhuma outra fatura dele está em aberto. Quando houver, isto pode abatê-la.</p>`
            : html`<ul class="mb-1">
                ${outras.map(
                  (outra) =>
                    html`<li>
                      <a href="${BASE}/faturas/${outra.id}/credito?de=${id}">Abater da fatura ${outra.id}</a>, que vence
                      em ${escreverData(outra.vencimento)}
                    </li>`,
                )}
              </ul>`
      }
      <p class="mb-0">
        Devolver se faz fora daqui: a devolução de um PIX, feita no banco, aparece sozinha; a de um recebimento
        registrado à mão se registra desfazendo-o e registrando o que ficou.
      </p>`,
  );
}
