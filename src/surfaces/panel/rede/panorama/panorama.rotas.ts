import { opcional } from '../../../../domain/campos/campos.ts';
import { escolha } from '../../../../domain/campos/leitores.ts';
import { html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { icone } from '../../componentes/icone.ts';
import { pagina } from '../../rota.ts';
import type { Rota } from '../../rota.ts';
import { pode } from '../../sessao.ts';
import { agora as deAgora, graficosDaRede, secoes } from './telas.ts';

/** The periods of the charts. */
export const PERIODO = { periodo: opcional(escolha(['24h', '7d', '31d'])) } as const;

export const PANORAMA: readonly Rota[] = [
  pagina('/rede', {
    permissao: 'rede.ver',
    consulta: PERIODO,
    async mostrar({ dominio, sessao, agora, consulta: { periodo = '24h' } }) {
      const [panorama, avisos, serie] = await Promise.all([
        dominio.rede.panorama(),
        dominio.avisosDeRede.abertos(),
        dominio.rede.serie(periodo),
      ]);
      return {
        tela: {
          titulo: 'Rede',
          menu: 'rede',
          scripts: ['uplot'],
          acoes: pode(sessao, 'rede.gerir')
            ? html`<a class="btn" href="${BASE}/rede/avisos/novo">${icone('bell')} Novo aviso</a>
                <a class="btn btn-primary" href="${BASE}/rede/servidores/novo">${icone('plus')} Novo servidor</a>`
            : null,
          corpo: html`${secoes('/rede')} ${deAgora(sessao, panorama, avisos)}
          ${panorama.servidores.length === 0 ? null : graficosDaRede(serie, sessao, agora, '/rede')}`,
        },
      };
    },
  }),

  // What the overview asks for again and again: the charts, which change by the hour, are not in it.
  pagina('/rede/agora', {
    permissao: 'rede.ver',
    async mostrar({ dominio, sessao }) {
      const [panorama, avisos] = await Promise.all([dominio.rede.panorama(), dominio.avisosDeRede.abertos()]);
      return { tela: { titulo: 'Rede', menu: 'rede', corpo: deAgora(sessao, panorama, avisos) } };
    },
  }),
];
