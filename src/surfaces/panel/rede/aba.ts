import type { Servidor } from '../../../domain/rede/panorama/panorama.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao } from '../componentes/cartao.ts';
import { inteiro } from '../componentes/escrita.ts';
import { tabela, vazio } from '../componentes/tabela.ts';
import type { Chamada } from '../rota.ts';
import { estadoDoServidor } from './palavras.ts';
import { graficosDaRede, linkDoServidor, onlineNoServidor, pioresContratos } from './panorama/telas.ts';

const PIORES = 10;

/** The network on the first page: charts of the provider, the contracts that drop most, and the servers. Its screen needs the script `uplot`. */
export async function abaDaRede({
  dominio,
  sessao,
  agora,
}: Pick<Chamada, 'dominio' | 'sessao' | 'agora'>): Promise<Html> {
  const [serie, piores, { servidores }] = await Promise.all([
    dominio.rede.serie('24h'),
    dominio.rede.piores(PIORES),
    dominio.rede.panorama(),
  ]);
  const quedas = new Map(serie.porServidor.map(({ nas, quedas: total }) => [nas, total]));
  const linhas = servidores
    .map((servidor) => ({ ...servidor, quedas: quedas.get(servidor.endereco) ?? 0 }))
    .toSorted((a, b) => b.quedas - a.quedas)
    .slice(0, PIORES);
  return html`${graficosDaRede(serie, sessao, agora, '/rede')}
    <div class="colunas">
      ${cartao('Contratos que mais caíram em 7 dias', pioresContratos(sessao, piores), { rente: true })}
      ${cartao('Servidores com mais quedas em 24 h', dosServidores(linhas), {
        rente: true,
        acoes: html`<a class="btn" href="${BASE}/rede">Ver a rede</a>`,
      })}
    </div>`;
}

const dosServidores = (linhas: readonly (Servidor & { readonly quedas: number })[]): Html =>
  tabela({
    legenda: 'Servidores com mais quedas em 24 h',
    colunas: [
      { titulo: 'Servidor', principal: true, celula: linkDoServidor },
      { titulo: 'Estado', celula: estadoDoServidor },
      { titulo: 'Online', direita: true, celula: onlineNoServidor },
      {
        titulo: 'Quedas',
        direita: true,
        celula: ({ endereco, quedas: total }) =>
          total === 0 ? '0' : html`<a href="${BASE}/rede/servidores/${endereco}">${inteiro(total)}</a>`,
      },
    ],
    linhas,
    vazia: vazio('router', 'Nenhum servidor ainda', 'Aqui ficam os servidores do provedor, os que mais caem primeiro.'),
  });
