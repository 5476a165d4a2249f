import { opcional } from '../../../domain/campos/campos.ts';
import { id, ipv4, texto } from '../../../domain/campos/leitores.ts';
import type { LinhaOnline } from '../../../domain/rede/panorama/panorama.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { parteViva } from '../ao-vivo/partes.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { ha } from '../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../componentes/tabela.ts';
import { opcao } from '../formulario/campos.ts';
import type { Opcao } from '../formulario/campos.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import type { Sessao } from '../sessao.ts';
import { colunaDoCliente, colunaDoContrato } from './colunas.ts';
import { nomeDoServidor } from './palavras.ts';
import { secoes } from './panorama/telas.ts';

const POR_PAGINA = 50;

/** Lines that are online. */
export function tabelaDeOnline(sessao: Sessao, linhas: readonly LinhaOnline[], agora: Date, vazia: Html): Html {
  return tabela<LinhaOnline>({
    legenda: 'Online agora',
    colunas: [
      colunaDoCliente(sessao),
      colunaDoContrato(sessao, ({ contratoId }) => String(contratoId)),
      { titulo: 'Login', celula: ({ login }) => login ?? '–' },
      { titulo: 'Plano', celula: ({ plano }) => plano },
      {
        titulo: 'Lugar',
        celula: ({ cidade, bairro }) => [bairro, cidade].filter((um) => um !== null).join(', ') || '–',
      },
      { titulo: 'Servidor', celula: ({ nas }) => nas ?? '–' },
      { titulo: 'Online', celula: ({ desde }) => ha(agora, desde) ?? '–' },
    ],
    linhas,
    vazia,
  });
}

const CONSULTA = {
  nas: opcional(ipv4),
  plano: opcional(id),
  cidade: opcional(texto(1, 80)),
  depois: opcional(id),
} as const;

export const ONLINE: readonly Rota[] = [
  pagina('/rede/online', {
    permissao: 'rede.ver',
    consulta: CONSULTA,
    async mostrar({ dominio, sessao, agora, consulta }) {
      const { nas, plano, cidade, depois } = consulta;
      const [lidas, servidores, { planos, cidadesDosContratos }] = await Promise.all([
        dominio.rede.online({ nas, planoId: plano, cidade, depoisDe: depois }, POR_PAGINA + 1),
        dominio.rede.servidores(),
        dominio.listas.escolhas(),
      ]);
      const linhas = lidas.slice(0, POR_PAGINA);
      const filtros = { nas, plano, cidade };
      const endereco = comConsulta('/rede/online', { ...filtros, depois });
      const filtrado = nas !== undefined || plano !== undefined || cidade !== undefined;
      const ultima = linhas.at(-1);
      const proxima =
        lidas.length > POR_PAGINA && ultima !== undefined
          ? comConsulta('/rede/online', { ...filtros, depois: ultima.contratoId })
          : null;
      const vazia = vazio(
        'wifi-off',
        'Ninguém online aqui',
        filtrado
          ? 'Nenhum contrato com sessão aberta passa por estes filtros.'
          : 'Aqui ficam os contratos com sessão aberta nos servidores do provedor.',
        filtrado ? html`<a class="btn" href="${BASE}/rede/online">Tirar os filtros</a>` : null,
      );
      return {
        tela: {
          titulo: 'Online agora',
          menu: 'rede',
          migalhas: [['Rede', '/rede']],
          corpo: html`${secoes('/rede/online')}
            <form class="filtros" method="get" action="${BASE}/rede/online">
              ${filtro(
                'nas',
                'Servidor',
                'Todos',
                nas,
                servidores.map((um) => ({ valor: um.endereco, texto: nomeDoServidor(um) })),
              )}
              ${filtro(
                'plano',
                'Plano',
                'Todos',
                plano,
                planos.map(({ id: valor, nome }) => ({ valor: String(valor), texto: nome })),
              )}
              ${filtro(
                'cidade',
                'Cidade',
                'Todas',
                cidade,
                cidadesDosContratos.map((uma) => ({ valor: uma, texto: uma })),
              )}
              <button class="btn btn-primary">Filtrar</button>
            </form>
            <div data-lista ${parteViva({ id: 'online', endereco, tipos: ['conexao'] })}>
              ${cartao(
                null,
                html`${tabelaDeOnline(sessao, linhas, agora, vazia)}
                ${paginas({
                  total:
                    depois === undefined && proxima === null && linhas.length > 0 ? `${linhas.length} online` : null,
                  anterior: null,
                  proxima,
                })}
                ${depois === undefined ? null : html`<p class="px-3"><a href="${BASE}${comConsulta('/rede/online', filtros)}">Voltar ao começo da lista</a></p>`}`,
                { rente: true },
              )}
            </div>`,
        },
      };
    },
  }),
];

const filtro = (
  nome: string,
  rotulo: string,
  vazia: string,
  atual: string | number | undefined,
  opcoes: readonly Opcao[],
): Html =>
  html`<div>
    <label class="form-label" for="filtro-${nome}">${rotulo}</label>
    <select class="form-select" id="filtro-${nome}" name="${nome}">
      <option value="">${vazia}</option>
      ${opcoes.map((uma) => opcao(uma, String(atual ?? '')))}
    </select>
  </div>`;
