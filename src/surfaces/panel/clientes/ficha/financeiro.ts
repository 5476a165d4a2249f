import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import type { Fatura } from '../../../../domain/faturas/faturas.types.ts';
import type { FaturaDaLista } from '../../../../domain/faturas/lista/lista.types.ts';
import { BASE } from '../../ativos/ativos.ts';
import { cartao, etiqueta, ficha } from '../../componentes/cartao.ts';
import { dia, escreverData, escreverReais, quantos } from '../../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { pode } from '../../sessao.ts';
import { situacaoDaFatura } from '../../faturas/termos.ts';
import { notaNaLista } from '../../nfcom/da-fatura.ts';
import type { Cabeca, FaturasComNotas, Financeiro } from './leitura.ts';

/** How late somebody pays, in words. */
function atraso(dias: number | null): string | null {
  if (dias === null) return null;
  if (dias === 0) return 'em média no dia do vencimento';
  return `em média ${quantos(Math.abs(dias), 'dia', 'dias')} ${dias > 0 ? 'depois' : 'antes'} do vencimento`;
}

/** What of an open invoice is asked on the phone beside how much it is. */
function comoEstaAFatura({ diasEmAtraso, pagaEmParte }: Fatura): string {
  const ditos = [
    diasEmAtraso === 0 ? null : `${quantos(diasEmAtraso, 'dia', 'dias')} de atraso`,
    pagaEmParte ? 'paga em parte' : null,
  ];
  return ditos.flatMap((dito) => (dito === null ? [] : [` · ${dito}`])).join('');
}

const MAIS_ABERTAS = 5;

export function cartaoFinanceiro({ sessao, cliente }: Cabeca, resumo: Financeiro): Html {
  const { vencido, abertas, pagas, atrasoMedio, ultimosPagamentos, sobras } = resumo;
  const [ultimo] = ultimosPagamentos;
  const primeiras = abertas.slice(0, MAIS_ABERTAS);
  return cartao(
    'Financeiro',
    html`${
      vencido === null
        ? html`<p>${etiqueta('Em dia', 'green')} Nada vencido.</p>`
        : html`<p class="deve">
            <strong>${escreverReais(vencido.valor)}</strong> a pagar hoje em
            ${quantos(vencido.faturas, 'fatura vencida', 'faturas vencidas')}, desde ${escreverData(vencido.desde)}
          </p>`
    }
    ${
      primeiras.length === 0
        ? null
        : html`<ul class="linhas">
            ${primeiras.map(
              (fatura) =>
                html`<li>
                  <span
                    >${situacaoDaFatura(fatura.situacao)}
                    ${escreverData(fatura.vencimento)}${comoEstaAFatura(fatura)}</span
                  >
                  <strong>${escreverReais(fatura.aPagar)}</strong>
                  <a href="${BASE}/faturas/${fatura.id}"
                    >2ª via<span class="invisivel"> da fatura ${fatura.id}</span></a
                  >
                </li>`,
            )}
          </ul>`
    }
    ${
      abertas.length > MAIS_ABERTAS
        ? html`<p><a href="${BASE}/clientes/${cliente.id}?aba=faturas">Ver as ${abertas.length} em aberto</a></p>`
        : null
    }
    ${ficha([
      [
        'Pago a mais',
        sobras.length === 0
          ? null
          : html`${sobras.map(
              ({ faturaId, livre }) =>
                html`<div>
                  ${escreverReais(livre)} na <a href="${BASE}/faturas/${faturaId}">fatura ${faturaId}</a>
                </div>`,
            )}`,
      ],
      ['Em 12 meses', pagas.de === 0 ? 'nenhuma fatura' : `${pagas.quantas} pagas de ${pagas.de}`],
      ['Paga', atraso(atrasoMedio)],
      [
        'Último pagamento',
        ultimo === undefined
          ? null
          : `${escreverReais(ultimo.valor)} em ${dia(sessao.provedor.fusoHorario, ultimo.pagoEm)}`,
      ],
    ])}`,
    {
      acoes:
        pode(sessao, 'faturas.criar') && cliente.apagadoEm === null
          ? html`<a class="btn btn-sm" href="${BASE}/faturas/nova?cliente=${cliente.id}">Nova fatura</a>`
          : null,
    },
  );
}

/** Invoices of a client, page after page. */
export function faturasDoCliente(
  { cliente }: Cabeca,
  { itens, proxima, notas }: FaturasComNotas,
  seguinte: boolean,
): Html {
  const aqui = `/clientes/${cliente.id}`;
  return cartao(
    null,
    html`${tabela<FaturaDaLista>({
      legenda: 'Faturas do cliente',
      linhas: itens,
      vazia: vazio('file-invoice', 'Nenhuma fatura', 'Aqui ficam as mensalidades e cobranças avulsas deste cliente.'),
      colunas: [
        {
          titulo: 'Fatura',
          principal: true,
          celula: ({ id, descricao }) =>
            html`<a href="${BASE}/faturas/${id}">${id}${descricao === null ? '' : ` · ${descricao}`}</a>`,
        },
        { titulo: 'Situação', celula: ({ situacao }) => situacaoDaFatura(situacao) },
        { titulo: 'Vencimento', celula: ({ vencimento }) => escreverData(vencimento) },
        { titulo: 'Valor', direita: true, celula: ({ valor }) => escreverReais(valor) },
        {
          titulo: 'A pagar hoje',
          direita: true,
          celula: ({ aPagar }) => (aPagar === 0 ? null : escreverReais(aPagar)),
        },
        ...(notas === null
          ? []
          : [{ titulo: 'Nota fiscal', celula: ({ id }: FaturaDaLista) => notaNaLista(notas.get(id)) }]),
      ],
    })}
    ${paginas({
      total: null,
      anterior: seguinte ? comConsulta(aqui, { aba: 'faturas' }) : null,
      proxima: proxima === null ? null : comConsulta(aqui, { aba: 'faturas', depois: proxima }),
    })}`,
    { rente: true },
  );
}
