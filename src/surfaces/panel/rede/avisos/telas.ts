import type { AvisoComAlvos, Cobertura } from '../../../../domain/rede/avisos/avisos.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { abas, cartao, ficha } from '../../componentes/cartao.ts';
import { instante, quantos } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { botao } from '../../formulario/formulario.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { ORIGENS, TIPOS, alvosEmPalavras, situacaoDoAviso } from '../palavras.ts';
import type { Nomes } from '../palavras.ts';
import { secoes } from '../panorama/telas.ts';
import { coberturaEmPalavras } from './formulario.ts';

const novoAviso = (sessao: Sessao): Html | null =>
  pode(sessao, 'rede.gerir')
    ? html`<a class="btn btn-primary" href="${BASE}/rede/avisos/novo">${icone('plus')} Novo aviso</a>`
    : null;

export const acoesDosAvisos = (sessao: Sessao): Html | null =>
  pode(sessao, 'rede.gerir')
    ? html`<a class="btn" href="${BASE}/rede/deteccao">${icone('settings')} Quedas em massa</a> ${novoAviso(sessao)}`
    : null;

interface DaLista {
  readonly sessao: Sessao;
  readonly situacao: 'abertos' | 'encerrados';
  readonly avisos: readonly AvisoComAlvos[];
  readonly nomes: Nomes;
  /** The id before which the next page goes on; null on the last one. */
  readonly proxima: number | null;
}

export function listaDeAvisos({ sessao, situacao, avisos, nomes, proxima }: DaLista): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  const abertos = situacao === 'abertos';
  return html`${secoes('/rede/avisos')}
  ${abas('Situação dos avisos', [
    { texto: 'Abertos', para: '/rede/avisos', atual: abertos },
    { texto: 'Encerrados', para: comConsulta('/rede/avisos', { situacao: 'encerrados' }), atual: !abertos },
  ])}
  ${cartao(
    null,
    html`${tabela<AvisoComAlvos>({
      legenda: abertos ? 'Avisos abertos' : 'Avisos encerrados',
      colunas: [
        {
          titulo: 'Aviso',
          principal: true,
          celula: ({ id, titulo }) => html`<a href="${BASE}/rede/avisos/${id}">${titulo}</a>`,
        },
        { titulo: 'Tipo', celula: ({ tipo }) => TIPOS[tipo] },
        { titulo: 'Quem é atingido', celula: ({ alvos }) => alvosEmPalavras(alvos, nomes) },
        { titulo: 'Início', celula: ({ inicio }) => instante(fuso, inicio) },
        abertos
          ? { titulo: 'Previsão', celula: ({ previsao }) => instante(fuso, previsao) ?? 'sem previsão' }
          : { titulo: 'Fim', celula: ({ fim }) => instante(fuso, fim) },
        { titulo: 'Origem', celula: ({ origem }) => ORIGENS[origem] },
        { titulo: 'Situação', celula: situacaoDoAviso },
      ],
      linhas: avisos,
      vazia: abertos
        ? vazio(
            'circle-check',
            'Nenhum aviso aberto',
            'Um aviso diz a quem é atingido o que acontece na rede, antes que cada um precise perguntar.',
            novoAviso(sessao),
          )
        : vazio('history', 'Nenhum aviso encerrado', 'Aqui ficam os avisos que já passaram.'),
    })}
    ${
      proxima === null
        ? null
        : paginas({ total: null, anterior: null, proxima: comConsulta('/rede/avisos', { situacao, antes: proxima }) })
    }`,
    { rente: true },
  )}`;
}

/** Of one that was detected, until somebody has confirmed it. */
const confirmar = ({ id, origem, confirmadoEm }: AvisoComAlvos): Html | null =>
  origem === 'equipe' || confirmadoEm !== null
    ? null
    : botao({ para: `/rede/avisos/${id}/confirmar`, texto: 'Confirmar', icone: icone('circle-check') });

export function acoesDoAviso(sessao: Sessao, aviso: AvisoComAlvos): Html | null {
  const { id, situacao } = aviso;
  const mudar =
    situacao === 'encerrado' || !pode(sessao, 'rede.gerir')
      ? null
      : html`${confirmar(aviso)} <a class="btn" href="${BASE}/rede/avisos/${id}/editar">${icone('edit')} Mudar</a>
          <a class="btn btn-primary" href="${BASE}/rede/avisos/${id}/encerrar">${icone('check')} Encerrar</a>`;
  // Also after its end: that is when what was opened because of it is answered.
  const chamados = pode(sessao, 'chamados.ver')
    ? html`<a class="btn" href="${BASE}/chamados?aviso=${id}">${icone('ticket')} Chamados do aviso</a>`
    : null;
  return html`${chamados} ${mudar}`;
}

export function fichaDoAviso(sessao: Sessao, aviso: AvisoComAlvos, cobertura: Cobertura, nomes: Nomes): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  const { situacao, tipo, texto, alvos, inicio, previsao, fim, origem, autor, criadoEm, quedas, confirmadoEm } = aviso;
  return html`<div class="colunas">
    ${cartao('O que se diz ao assinante', html`<p class="mb-0">${texto}</p>`)}
    ${cartao(
      'Dados do aviso',
      ficha([
        ['Situação', situacaoDoAviso(aviso)],
        ['Tipo', TIPOS[tipo]],
        ['Atinge', alvosEmPalavras(alvos, nomes)],
        [situacao === 'encerrado' ? 'Atingiria hoje' : 'Por agora', coberturaEmPalavras(cobertura)],
        ['Início', instante(fuso, inicio)],
        ['Previsão', instante(fuso, previsao) ?? (fim === null ? 'sem previsão' : null)],
        ['Fim', instante(fuso, fim)],
        ['Aberto por', origem === 'detectado' ? 'detectado na rede' : (autor ?? 'a equipe')],
        ...(quedas === null ? [] : ([['Linhas que caíram', quantos(quedas, 'linha', 'linhas')]] as const)),
        ...(origem === 'equipe'
          ? []
          : ([['Confirmado em', instante(fuso, confirmadoEm) ?? 'ainda não; encerra-se sozinho']] as const)),
        ['Aberto em', instante(fuso, criadoEm)],
      ]),
    )}
  </div>`;
}
