import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { opcional } from '../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../domain/campos/campos.ts';
import { data, id } from '../../../domain/campos/leitores.ts';
import type { Livro, Recorte } from '../../../domain/recebimentos/conciliacao/conciliacao.types.ts';
import { somarLivro } from '../../../domain/recebimentos/conciliacao/livro.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao, numero } from '../componentes/cartao.ts';
import { escreverReais, inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import { entrada, escolha } from '../formulario/campos.ts';
import { preenchido } from '../formulario/estado.ts';
import { escondido } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { MEIOS } from './palavras.ts';

export const CONSULTA_DO_RECORTE = { de: opcional(data), ate: opcional(data), conta: opcional(id) } as const;
type Consulta = ValoresDe<typeof CONSULTA_DO_RECORTE>;

/** The period that was asked for, else the month until today. */
export function recorteDe(consulta: Consulta, fuso: string, agora: Date): Recorte {
  const hoje = hojeEm(fuso, agora);
  const ate = consulta.ate ?? hoje;
  const de = consulta.de ?? (`${ate.slice(0, 8)}01` as Data);
  return { de: de <= ate ? de : ate, ate, conta: consulta.conta ?? null };
}

/** The ledger of a period: where each centavo that came in is, and whether the sum holds. */
export async function telaDoLivro({ consulta, dominio, sessao, agora }: Chamada<unknown, Consulta>): Promise<Tela> {
  const recorte = recorteDe(consulta, sessao.provedor.fusoHorario, agora);
  const livro = await dominio.livro.livro(recorte);
  const total = somarLivro(livro);
  const noPeriodo = { de: recorte.de, ate: recorte.ate, conta: recorte.conta };
  return {
    titulo: 'Conciliação',
    menu: 'conciliacao',
    acoes: html`<a class="btn" href="${BASE}/conciliacao/devolucoes">${icone('history')} Devoluções</a> ${
        pode(sessao, 'exportar')
          ? // Not by htmx, which would put the file into the page.
            html`<form method="post" action="${BASE}/conciliacao/exportar">
              ${escondido('de', recorte.de)} ${escondido('ate', recorte.ate)}
              ${recorte.conta === null ? null : escondido('conta', String(recorte.conta))}
              <button class="btn">${icone('download')} Baixar CSV</button>
            </form>`
          : null
      }`,
    corpo: html`<p class="text-secondary">
        Todo o dinheiro que entrou no período, e onde está cada centavo: aplicado em faturas, sobrando, sem fatura ou
        devolvido. O que está sem fatura e o que sobrou esperam por alguém da equipe.
      </p>
      ${filtros(recorte, sessao.provedor.contas)}
      <div class="numeros reais">
        ${numero(escreverReais(total.avisado), 'Avisado e registrado', comConsulta('/conciliacao/pix', noPeriodo))}
        ${numero(escreverReais(total.aplicado), 'Aplicado em faturas', null)}
        ${numero(escreverReais(total.excedente), 'Sobrou', '/conciliacao/excedentes')}
        ${numero(escreverReais(total.naoIdentificado), 'Sem fatura', '/conciliacao/sem-fatura')}
        ${numero(escreverReais(total.devolvido), 'Devolvido', comConsulta('/conciliacao/pix', { ...noPeriodo, situacao: 'devolvida' }))}
      </div>
      ${prova(livro)} ${porMeio(livro, noPeriodo)}`,
  };
}

function filtros(recorte: Recorte, contas: readonly { readonly id: number | null; readonly nome: string }[]): Html {
  const estado = preenchido({ ...recorte });
  const conhecidas = contas.flatMap(({ id: conta, nome }) =>
    conta === null ? [] : [{ valor: String(conta), texto: nome }],
  );
  return html`<form class="filtros" method="get" action="${BASE}/conciliacao" aria-label="Filtros">
    ${entrada(estado, { nome: 'de', rotulo: 'Pago de', tipo: 'date' })}
    ${entrada(estado, { nome: 'ate', rotulo: 'até', tipo: 'date' })}
    ${conhecidas.length < 2 ? null : escolha(estado, { nome: 'conta', rotulo: 'Conta', vazia: 'Todas', opcoes: conhecidas })}
    <div class="campo"><button class="btn">${icone('filter')} Filtrar</button></div>
  </form>`;
}

/** The identity in words and numbers; where it does not hold, loudly, with what does not agree. */
function prova(livro: Livro): Html {
  const { avisado, aplicado, excedente, naoIdentificado, devolvido } = somarLivro(livro);
  if (livro.diferenca === 0) {
    return aviso(
      'success',
      html`${escreverReais(avisado)} = ${escreverReais(aplicado)} aplicado + ${escreverReais(excedente)} que sobrou +
      ${escreverReais(naoIdentificado)} sem fatura + ${escreverReais(devolvido)} devolvido. Diferença: R$ 0,00.`,
    );
  }
  return aviso(
    'danger',
    html`<p class="fw-bold mb-1">A soma não fecha: faltam ${escreverReais(livro.diferenca)}.</p>
      <p class="mb-1">
        Faturas dizem que receberam menos do que chegou a elas. Outro programa mudou estas linhas; confira cada uma:
      </p>
      <ul class="mb-0">
        ${livro.divergentes.map(
          ({ faturaId, valorPago, veio }) =>
            html`<li>
              <a href="${BASE}/faturas/${faturaId}">Fatura ${faturaId}</a>: diz ${escreverReais(valorPago)}, chegaram
              ${escreverReais(veio)}.
            </li>`,
        )}
      </ul>`,
  );
}

function porMeio(livro: Livro, noPeriodo: Readonly<Record<string, string | number | null>>): Html {
  return cartao(
    'Por meio',
    tabela({
      legenda: 'Por meio',
      linhas: livro.linhas,
      vazia: vazio('receipt', 'Nada', 'Nada entrou neste período.'),
      colunas: [
        {
          titulo: 'Meio',
          principal: true,
          celula: ({ meio }) =>
            html`<a href="${BASE}${comConsulta(`/conciliacao/${meio}`, noPeriodo)}">${MEIOS[meio]}</a>`,
        },
        { titulo: 'Quantos', direita: true, celula: ({ quantidade }) => inteiro(quantidade) },
        { titulo: 'Avisado', direita: true, celula: ({ avisado }) => escreverReais(avisado) },
        { titulo: 'Aplicado', direita: true, celula: ({ aplicado }) => escreverReais(aplicado) },
        { titulo: 'Sobrou', direita: true, celula: ({ excedente }) => escreverReais(excedente) },
        { titulo: 'Sem fatura', direita: true, celula: ({ naoIdentificado }) => escreverReais(naoIdentificado) },
        { titulo: 'Devolvido', direita: true, celula: ({ devolvido }) => escreverReais(devolvido) },
      ],
    }),
    { rente: true },
  );
}
