import type { MotivoDeEspera } from '../../../domain/regua/regua.types.ts';
import { MAXIMO_PREVISTO } from '../../../domain/regua/previsao.service.ts';
import type { Previsto } from '../../../domain/regua/previsao.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { aviso, cartao } from '../componentes/cartao.ts';
import { escreverData, escreverReais, inteiro } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import type { Chamada, Tela } from '../rota.ts';
import { ESPERA } from './palavras.ts';
import { aFatura, aoCliente } from './passos.ts';

export const AMANHA_EM = '/regua/amanha';

const previstos = (linhas: readonly Previsto[], legenda: string): Html =>
  tabela({
    legenda,
    linhas,
    vazia: vazio('circle-check', 'Ninguém', 'Como as faturas e os contratos estão agora.'),
    colunas: [
      { titulo: 'Cliente', principal: true, celula: aoCliente },
      {
        titulo: 'Contrato',
        celula: ({ contratoId: id }) => (id === null ? null : html`<a href="${BASE}/contratos/${id}">${id}</a>`),
      },
      { titulo: 'Fatura', celula: ({ faturaId }) => aFatura(faturaId) },
      { titulo: 'Venceu em', celula: ({ vencimento }) => escreverData(vencimento) },
      { titulo: 'Falta', direita: true, celula: ({ valor }) => escreverReais(valor) },
    ],
  });

/** Whom the ladder would block tomorrow if nothing changed, and whom not, by the reason. */
export async function telaDeAmanha({ dominio }: Pick<Chamada, 'dominio'>): Promise<Tela> {
  const { dia, contagem, previstos: ditos, mais } = await dominio.regua.previsao();
  const de = (espera: MotivoDeEspera | null): Previsto[] => ditos.filter((um) => um.espera === espera);
  const bloqueados = contagem.find(({ espera }) => espera === null)?.quantos ?? 0;
  const titulo = (texto: string, todas: number, mostradas: number): string =>
    `${texto}: ${inteiro(todas)}${mostradas < todas ? ` (aqui as ${mostradas} mais novas)` : ''}`;
  return {
    titulo: `Quem seria bloqueado em ${escreverData(dia)}`,
    menu: 'regua',
    migalhas: [['Régua de cobrança', '/regua']],
    corpo: html`<p class="text-secondary">
        Como as faturas e os contratos ativos estão agora: pagamentos, promessas e pausas até lá mudam isto. Os retornos
        do banco contam como já recebidos.
      </p>
      ${mais ? aviso('warning', `Há mais do que as ${inteiro(MAXIMO_PREVISTO)} faturas que se olharam, das mais novas às mais antigas.`) : null}
      ${cartao(titulo('Seriam bloqueados', bloqueados, de(null).length), previstos(de(null), 'Quem seria bloqueado'), {
        rente: true,
      })}
      ${contagem.flatMap(({ espera, quantos }) =>
        espera === null
          ? []
          : [
              cartao(
                titulo('Não seriam bloqueados', quantos, de(espera).length),
                html`<p class="px-3 pt-3 m-0">${ESPERA[espera]}.</p>
                  ${previstos(de(espera), ESPERA[espera])}`,
                { rente: true },
              ),
            ],
      )}`,
  };
}
