import type { BoletoRejeitado, RejeitadosPorMotivo } from '../../../domain/boletos/remessas/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { inteiro } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { botao } from '../formulario/formulario.ts';
import type { Chamada, Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import { emPalavras, remedioDe } from './palavras.ts';

export const BOLETOS_EM = '/boletos';
export const REJEITADOS_EM = '/boletos/rejeitados';

const motivoDe = (motivos: RejeitadosPorMotivo['motivos']): string =>
  motivos.length === 0 ? 'o banco não disse por quê' : emPalavras(motivos);

/** What banks refused, by the reason: what is mended once is sent again at once. */
export const cartaoDosRejeitados = (rejeitados: readonly RejeitadosPorMotivo[]): Html | null =>
  rejeitados.length === 0
    ? null
    : cartao(
        `Rejeitados pelo banco (${inteiro(rejeitados.reduce((soma, { quantos }) => soma + quantos, 0))})`,
        tabela({
          legenda: 'Boletos que o banco rejeitou, por motivo',
          linhas: rejeitados,
          vazia: html``,
          colunas: [
            {
              titulo: 'Por quê',
              principal: true,
              celula: ({ chave, motivos }) =>
                html`<a href="${BASE}${comConsulta(REJEITADOS_EM, { motivo: chave })}">${motivoDe(motivos)}</a>`,
            },
            { titulo: 'Quantos', direita: true, celula: ({ quantos }) => inteiro(quantos) },
            { titulo: 'O que fazer', celula: ({ motivos }) => remedioDe(motivos) },
            {
              titulo: 'Ação',
              celula: ({ chave }) =>
                botao({
                  para: REJEITADOS_EM,
                  texto: 'Mandar de novo todos',
                  classe: 'btn btn-sm',
                  valores: { motivo: chave },
                }),
            },
          ],
        }),
        { rente: true },
      );

/** Those that a bank refused for a reason, page by page. */
export async function telaDosRejeitados({
  dominio,
  sessao,
  consulta: { motivo, depois },
}: Pick<
  Chamada<unknown, { readonly motivo?: string | undefined; readonly depois?: number | undefined }>,
  'consulta' | 'dominio' | 'sessao'
>): Promise<Tela> {
  // Most of what banks refuse is mended in the client's registration.
  const comoCorrigir = (cliente: number): string =>
    pode(sessao, 'clientes.editar') ? `/clientes/${cliente}/editar` : `/clientes/${cliente}`;
  const { boletos, proxima } = await dominio.boletos.rejeitados({ motivo, depoisDe: depois });
  return {
    titulo: 'Boletos rejeitados pelo banco',
    menu: 'boletos',
    migalhas: [['Boletos no banco', BOLETOS_EM]],
    acoes:
      motivo === undefined ? null : html`<a class="btn" href="${BASE}${REJEITADOS_EM}">Ver os de todos os motivos</a>`,
    corpo: cartao(
      null,
      html`${tabela<BoletoRejeitado>({
        legenda: 'Boletos que o banco rejeitou',
        linhas: boletos,
        vazia: vazio('circle-check', 'Nenhum', 'Nada do que o banco rejeitou está por corrigir.'),
        colunas: [
          {
            titulo: 'Fatura',
            principal: true,
            celula: ({ fatura_id: id, clienteId: cliente, clienteNome }) =>
              html`<a href="${BASE}/faturas/${id}">Fatura ${id}</a>
                <div class="fw-normal"><a href="${BASE}${comoCorrigir(cliente)}">${clienteNome}</a></div>`,
          },
          { titulo: 'Por quê', celula: ({ motivos }) => motivoDe(motivos) },
          { titulo: 'O que fazer', celula: ({ motivos }) => remedioDe(motivos) },
          {
            titulo: 'Ação',
            celula: ({ fatura_id: id }) =>
              botao({ para: `${BOLETOS_EM}/faturas/${id}/reenviar`, texto: 'Mandar de novo', classe: 'btn btn-sm' }),
          },
        ],
      })}
      ${paginas({
        total: null,
        anterior: null,
        proxima: proxima === null ? null : comConsulta(REJEITADOS_EM, { motivo, depois: proxima }),
      })}`,
      { rente: true },
    ),
  };
}
