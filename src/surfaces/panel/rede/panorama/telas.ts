import type { AvisoComAlvos } from '../../../../domain/rede/avisos/avisos.types.ts';
import type {
  LinhaQueCai,
  Panorama,
  Periodo,
  SerieDaRede,
  Servidor,
} from '../../../../domain/rede/panorama/panorama.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { PEDE_POR_SI } from '../../ao-vivo/partes.ts';
import { BASE } from '../../ativos/ativos.ts';
import { abas, cartao, numero } from '../../componentes/cartao.ts';
import { bytes, ha, inteiro, instante, quantos } from '../../componentes/escrita.ts';
import { comConsulta, tabela, vazio } from '../../componentes/tabela.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';
import { colunaDoCliente, colunaDoContrato } from '../colunas.ts';
import { PERIODOS, TIPOS, estadoDoServidor, nomeDoServidor, relogioDe, situacaoDoAviso, taxa } from '../palavras.ts';
import { quedasPorHora, trafegoPorHora } from './graficos.ts';

const SECOES = [
  ['Panorama', '/rede'],
  ['Online agora', '/rede/online'],
  ['POPs', '/rede/pops'],
  ['Avisos', '/rede/avisos'],
] as const;

/** The parts of the network, of which one is open. */
export const secoes = (atual: (typeof SECOES)[number][1]): Html =>
  abas(
    'Partes da rede',
    SECOES.map(([texto, para]) => ({ texto, para, atual: para === atual })),
  );

/** Numbers, servers and notices, which are asked for again when somebody's connection has changed. */
export function agora(sessao: Sessao, panorama: Panorama, avisos: readonly AvisoComAlvos[]): Html {
  const { em, contadasEm, servidores, totais } = panorama;
  const { fusoHorario: fuso } = sessao.provedor;
  const antes = contadasEm < em ? `; linhas contadas às ${relogioDe(fuso, contadasEm)}` : '';
  const { trafegoHoje } = totais;
  return html`<div
    id="panorama"
    hx-get="${BASE}/rede/agora"
    hx-trigger="conexao from:body throttle:5s, every 60s"
    hx-target="#panorama"
    hx-select="#panorama"
    hx-swap="outerMorph"
    ${PEDE_POR_SI}
  >
    <p class="text-secondary">de <time datetime="${em.toISOString()}">${relogioDe(fuso, em)}</time>${antes}</p>
    <div class="numeros">
      ${numero(inteiro(totais.online), 'online', '/rede/online')}
      ${numero(inteiro(totais.offline), 'offline, dos que já se ligaram', null)}
      ${numero(inteiro(totais.quedas1h), totais.quedas1h === 1 ? 'queda na última hora' : 'quedas na última hora', null)}
      ${numero(`↓ ${bytes(trafegoHoje.download)}`, `hoje; ↑ ${bytes(trafegoHoje.upload)}`, null)}
      ${numero(inteiro(totais.avisosAbertos), totais.avisosAbertos === 1 ? 'aviso aberto' : 'avisos abertos', '/rede/avisos')}
    </div>
    ${cartao('Servidores', tabelaDeServidores(sessao, servidores, em), { rente: true })}
    ${avisos.length === 0 ? null : cartao('Avisos abertos', listaDeAvisos(fuso, avisos), { rente: true })}
  </div>`;
}

function tabelaDeServidores(sessao: Sessao, servidores: readonly Servidor[], em: Date): Html {
  const gere = pode(sessao, 'rede.gerir');
  return tabela<Servidor>({
    legenda: 'Servidores',
    colunas: [
      { titulo: 'Servidor', principal: true, celula: linkDoServidor },
      { titulo: 'POP', celula: ({ pop }) => (pop === null ? '–' : pop.nome) },
      { titulo: 'Estado', celula: estadoDoServidor },
      { titulo: 'Online', direita: true, celula: onlineNoServidor },
      { titulo: 'Quedas 1 h', direita: true, celula: ({ quedas1h }) => inteiro(quedas1h) },
      {
        titulo: 'Tráfego agora',
        direita: true,
        celula: ({ trafego }) =>
          trafego === null
            ? '–'
            : html`<span class="text-nowrap">↓ ${taxa(trafego.download)}</span>
                <span class="text-nowrap">↑ ${taxa(trafego.upload)}</span>`,
      },
      { titulo: 'Última notícia', celula: ({ ultimaNoticia }) => ha(em, ultimaNoticia) ?? 'nunca' },
      {
        titulo: 'Avisos',
        celula: ({ avisosAbertos, estado, endereco }) => {
          if (avisosAbertos > 0) return quantos(avisosAbertos, 'aberto', 'abertos');
          if (!gere || estado !== 'silencioso') return '–';
          return html`<a class="btn btn-sm" href="${BASE}${comConsulta('/rede/avisos/novo', { nas: endereco })}"
            >Avisar…</a
          >`;
        },
      },
    ],
    linhas: servidores,
    vazia: vazio(
      'router',
      'Nenhum servidor ainda',
      'Aqui ficam os concentradores (NAS) do provedor: quem está online, as quedas e o tráfego de cada um.',
      gere ? html`<a class="btn btn-primary" href="${BASE}/rede/servidores/novo">Cadastrar servidor</a>` : null,
    ),
  });
}

export const linkDoServidor = (servidor: Pick<Servidor, 'endereco' | 'nome'>): Html =>
  html`<span
    ><a href="${BASE}/rede/servidores/${servidor.endereco}">${nomeDoServidor(servidor)}</a>
    ${servidor.nome === null ? null : html`<small class="text-secondary text-nowrap">${servidor.endereco}</small>`}</span
  >`;

/** How many are online at a server, which leads to who they are. */
export const onlineNoServidor = ({ endereco, online }: Pick<Servidor, 'endereco' | 'online'>): Html | string =>
  online === 0 ? '0' : html`<a href="${BASE}${comConsulta('/rede/online', { nas: endereco })}">${inteiro(online)}</a>`;

function listaDeAvisos(fuso: string, avisos: readonly AvisoComAlvos[]): Html {
  return tabela<AvisoComAlvos>({
    legenda: 'Avisos abertos',
    colunas: [
      {
        titulo: 'Aviso',
        principal: true,
        celula: ({ id, titulo }) => html`<a href="${BASE}/rede/avisos/${id}">${titulo}</a>`,
      },
      { titulo: 'Tipo', celula: ({ tipo }) => TIPOS[tipo] },
      { titulo: 'Situação', celula: situacaoDoAviso },
      { titulo: 'Início', celula: ({ inicio }) => instante(fuso, inicio) },
      { titulo: 'Previsão', celula: ({ previsao }) => instante(fuso, previsao) ?? 'sem previsão' },
    ],
    linhas: avisos,
    vazia: html``,
  });
}

/** Drops and traffic of a period, and the ways to the others. @param para the address that takes `periodo` */
export function graficosDaRede(
  serie: SerieDaRede,
  sessao: Sessao,
  quando: Date,
  para: string,
  mais: Html | null = null,
): Html {
  const contexto = { serie, fuso: sessao.provedor.fusoHorario, agora: quando };
  const cada = serie.passo === 'dia' ? 'dia' : 'hora';
  return html`${escolhaDePeriodo(serie.periodo, para)}
    <div class="colunas mb-3">
      ${mais} ${cartao(`Quedas por ${cada}`, quedasPorHora(contexto))}
      ${cartao(`Tráfego por ${cada}`, trafegoPorHora(contexto))}
    </div>`;
}

const escolhaDePeriodo = (atual: Periodo, para: string): Html =>
  abas(
    'Período dos gráficos',
    (Object.keys(PERIODOS) as Periodo[]).map((periodo) => ({
      texto: PERIODOS[periodo],
      para: comConsulta(para, { periodo }),
      atual: periodo === atual,
    })),
  );

/** Contracts that dropped most often in seven days. */
export function pioresContratos(sessao: Sessao, linhas: readonly LinhaQueCai[]): Html {
  return tabela<LinhaQueCai>({
    legenda: 'Contratos que mais caíram em 7 dias',
    colunas: [
      colunaDoCliente(sessao),
      colunaDoContrato(sessao, ({ contratoId, plano }) => `${contratoId} · ${plano}`),
      { titulo: 'Servidor', celula: ({ nas }) => nas ?? '–' },
      { titulo: 'Quedas', direita: true, celula: ({ quedas }) => inteiro(quedas) },
    ],
    linhas,
    vazia: vazio('circle-check', 'Nenhuma queda em 7 dias', 'Aqui ficam os contratos cuja conexão mais caiu.'),
  });
}
