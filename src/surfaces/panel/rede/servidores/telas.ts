import type { Aviso } from '../../../../domain/rede/avisos/avisos.types.ts';
import type { LinhaOnline, Servidor } from '../../../../domain/rede/panorama/panorama.types.ts';
import type { RespostaDoTeste } from '../../../../domain/rede/sessoes/teste-de-coa.service.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { ha, inteiro } from '../../componentes/escrita.ts';
import { icone } from '../../componentes/icone.ts';
import { comConsulta, vazio } from '../../componentes/tabela.ts';
import { botao } from '../../formulario/formulario.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { tabelaDeOnline } from '../online.rotas.ts';
import { USOS, estadoDoServidor, taxa } from '../palavras.ts';

/** What a server answered when it was asked to end a session that there is not, in words. */
function testeEmPalavras({ resposta, causa, porta }: RespostaDoTeste): Html {
  switch (resposta) {
    case 'ack':
    case 'nak':
      return aviso(
        'success',
        `O servidor respondeu na porta ${porta} e conhece o segredo: sessões podem ser encerradas e mudadas por aqui.${
          causa === null || causa === 503
            ? ''
            : ` Ele disse o motivo ${causa}, em vez do 503 que se espera de uma sessão que não existe.`
        }`,
      );
    case 'nada':
      return aviso(
        'danger',
        `O servidor não respondeu na porta ${porta} em 3 segundos. Veja se a porta está certa, se o CoA está ligado nele, se o firewall a deixa passar e se o segredo é o mesmo dos dois lados.`,
      );
    case 'sem_segredo':
      break;
  }
  return aviso('danger', 'O FreeRADIUS não conhece o segredo deste servidor: informe-o em “Mudar”, e teste de novo.');
}

interface DoServidor {
  readonly sessao: Sessao;
  readonly servidor: Servidor;
  readonly agora: Date;
  readonly teste: RespostaDoTeste | null;
  readonly avisos: readonly Aviso[];
}

export function acoesDoServidor(sessao: Sessao, { endereco }: Servidor): Html | null {
  if (!pode(sessao, 'rede.gerir')) return null;
  return html`${botao({ para: `/rede/servidores/${endereco}/testar`, texto: 'Testar CoA', icone: icone('plug-connected') })}
    <a class="btn" href="${BASE}${comConsulta('/rede/avisos/novo', { nas: endereco })}">${icone('bell')} Avisar</a>
    <a class="btn" href="${BASE}/rede/servidores/${endereco}/editar">${icone('edit')} Mudar</a>
    <a class="btn" href="${BASE}/rede/servidores/${endereco}/remover">${icone('trash')} Remover</a>`;
}

export function fichaDoServidor({ servidor, agora, teste, avisos }: DoServidor): Html {
  const { trafego, pop } = servidor;
  return html`${teste === null ? null : testeEmPalavras(teste)}
  ${avisos.map(({ id, titulo }) => aviso('warning', html`Aviso aberto: <a href="${BASE}/rede/avisos/${id}">${titulo}</a>`))}
  ${cartao(
    'Agora',
    ficha([
      ['Estado', estadoDoServidor(servidor)],
      ['Endereço', servidor.endereco],
      ['POP', pop === null ? 'nenhum' : html`${pop.nome}, ${pop.cidade}/${pop.uf}`],
      ['Online', inteiro(servidor.online)],
      ['Offline', `${inteiro(servidor.offline)} cuja última sessão foi aqui`],
      ['Quedas na última hora', inteiro(servidor.quedas1h)],
      ['Tráfego', trafego === null ? 'não medido' : `↓ ${taxa(trafego.download)} ↑ ${taxa(trafego.upload)}`],
      ['Última notícia', ha(agora, servidor.ultimaNoticia) ?? 'nunca'],
      ['Porta de CoA', servidor.portaCoa],
      ['Muda na sessão', USOS[servidor.coa]],
    ]),
  )}`;
}

export function onlineNoServidor(
  sessao: Sessao,
  { endereco, online }: Servidor,
  linhas: readonly LinhaOnline[],
  agora: Date,
): Html {
  const vazia = vazio('wifi-off', 'Ninguém online neste servidor', 'Aqui ficam os contratos com sessão aberta nele.');
  return cartao('Online neste servidor', tabelaDeOnline(sessao, linhas, agora, vazia), {
    rente: true,
    acoes:
      online > linhas.length
        ? html`<a class="btn" href="${BASE}${comConsulta('/rede/online', { nas: endereco })}"
            >Ver todos os ${inteiro(online)}</a
          >`
        : null,
  });
}
