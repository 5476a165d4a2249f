import { escreverData } from '../../../brazil/dinheiro/escrita.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { ChaveDaEquipe } from '../../../domain/chaves/uso/leitura.service.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, ficha } from '../componentes/cartao.ts';
import { dia, instante, inteiro, quantos } from '../componentes/escrita.ts';
import { barras, figura } from '../componentes/graficos.ts';
import { icone } from '../componentes/icone.ts';
import { tabela } from '../componentes/tabela.ts';
import { escondido, formulario } from '../formulario/formulario.ts';
import { valorDe } from '../formulario/estado.ts';
import type { EstadoDoFormulario } from '../formulario/estado.ts';
import type { Tela } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { ROTULOS_DA_CHAVE, camposDaChave } from './formularios.ts';
import { estadoDaChave, validade } from './palavras.ts';
import { CAMINHO, migalhasDaChave } from './telas.ts';

interface DaChave {
  readonly sessao: Sessao;
  readonly chave: ChaveDaEquipe;
  readonly uso: readonly { readonly dia: Data; readonly pedidos: number }[];
  readonly estado: EstadoDoFormulario;
}

/** One key: what it may do, how it is used, and what can be changed of it. */
export function telaDaChave({ sessao, chave, uso, estado }: DaChave): Tela {
  const { id, nome, inicio, permissoes } = chave;
  const fuso = sessao.provedor.fusoHorario;
  const para = `${CAMINHO}/${id}`;
  const muda = pode(sessao, 'chaves.gerir') && chave.estado !== 'revogada';
  const renova = muda && chave.estado === 'ativa' && chave.renovadaPor === null;
  return {
    titulo: nome,
    menu: 'api',
    migalhas: [...migalhasDaChave],
    acoes: html`${renova ? html`<a class="btn" href="${BASE}${para}/renovar">${icone('refresh')} Renovar</a>` : null}
    ${muda ? html`<a class="btn btn-outline-danger" href="${BASE}${para}/revogar">${icone('trash')} Revogar</a>` : null}`,
    corpo: html`<div class="colunas mb-3">
        ${cartao(
          'Chave',
          ficha([
            ['Começa com', html`<code>${inicio}…</code>`],
            ['Estado', estadoDaChave(fuso, chave)],
            ['Permissões', html`${permissoes.map((uma) => html`<code>${uma}</code> `)}`],
            [
              'Restrições',
              chave.restricoes.length === 0
                ? 'nenhuma'
                : html`${chave.restricoes.map((uma) => html`<code>${uma}</code> `)}`,
            ],
            ['IPs permitidos', chave.ipsPermitidos === null ? 'qualquer endereço' : chave.ipsPermitidos.join(', ')],
            ['Por minuto', quantos(chave.limitePorMinuto, 'pedido', 'pedidos')],
            ['Vale até', validade(fuso, chave.expiraEm)],
            [
              'Criada',
              html`${instante(fuso, chave.criadaEm)}${chave.criadaPor === null ? ', no terminal' : `, por ${chave.criadaPor.nome}`}`,
            ],
            ['Revogada', instante(fuso, chave.revogadaEm)],
            [
              'Substituída por',
              chave.renovadaPor === null
                ? null
                : html`<a href="${BASE}${CAMINHO}/${chave.renovadaPor}">outra chave</a>`,
            ],
            ['Último uso', chave.ultimoUsoEm === null ? 'nunca usada' : dia(fuso, chave.ultimoUsoEm)],
          ]),
        )}
        ${cartao('Pedidos de 30 dias', pedidos(uso, chave.pedidos30Dias))}
      </div>
      ${muda ? cartao('Alterar', alterar(para, chave, estado)) : null}`,
  };
}

function alterar(para: string, { permissoes }: ChaveDaEquipe, estado: EstadoDoFormulario): Html {
  return formulario({
    para,
    estado,
    rotulos: ROTULOS_DA_CHAVE,
    enviar: 'Salvar',
    corpo: html`${escondido('atualizado_em', valorDe(estado, 'atualizado_em'))}
    ${camposDaChave(estado, permissoes, 'Daqui só se tiram permissões. Para dar mais, crie outra chave.')}`,
  });
}

function pedidos(uso: DaChave['uso'], total: number): Html {
  const curto = (data: Data): string => escreverData(data).slice(0, 5);
  const maior = uso.toSorted((a, b) => b.pedidos - a.pedidos)[0];
  const achado =
    maior === undefined || total === 0
      ? 'Nenhum pedido nos últimos 30 dias.'
      : `${quantos(total, 'pedido', 'pedidos')}; o dia com mais foi ${curto(maior.dia)}, com ${inteiro(maior.pedidos)}.`;
  const desenho = barras(
    uso.map(({ dia: data, pedidos: n }, i) => ({
      rotulo: i % 7 === 1 ? curto(data) : '',
      valor: n,
      dito: `${escreverData(data)}: ${quantos(n, 'pedido', 'pedidos')}`,
    })),
    achado,
  );
  return figura(
    achado,
    desenho,
    tabela({
      legenda: 'Pedidos por dia',
      linhas: uso.toReversed(),
      vazia: html``,
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia: data }) => escreverData(data) },
        { titulo: 'Pedidos', direita: true, celula: ({ pedidos: n }) => inteiro(n) },
      ],
    }),
  );
}

/** Asked before a key ends. */
export function telaDeRevogar(chave: ChaveDaEquipe, estado: EstadoDoFormulario): Tela {
  const para = `${CAMINHO}/${chave.id}`;
  return {
    titulo: `Revogar a chave de ${chave.nome}`,
    menu: 'api',
    migalhas: [...migalhasDaChave, [chave.nome, para]],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        formulario({
          para: `${para}/revogar`,
          estado,
          rotulos: {},
          enviar: 'Revogar agora',
          perigoso: true,
          volta: para,
          corpo: html`<p>
              <strong>${chave.nome}</strong> (<code>${chave.inicio}…</code>) para de funcionar no mesmo instante, em
              todo lugar, e não volta.
            </p>
            <p>
              ${
                chave.pedidos30Dias === 0
                  ? 'Ninguém a usou nos últimos 30 dias.'
                  : `Nos últimos 30 dias ela fez ${quantos(chave.pedidos30Dias, 'pedido', 'pedidos')}: quem a usa passa a receber 401.`
              }
            </p>`,
        }),
      )}
    </div>`,
  };
}
