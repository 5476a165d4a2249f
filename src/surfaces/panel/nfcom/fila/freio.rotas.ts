import { exigido, lerCampos, opcional } from '../../../../domain/campos/campos.ts';
import { data, escolha, id as lerId, inteiro as numeroInteiro } from '../../../../domain/campos/leitores.ts';
import type { FiltroDeNotas } from '../../../../domain/nfcom/lista/lista.types.ts';
import { SITUACOES_DE_NFCOM } from '../../../../domain/nfcom/nfcom.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao, ficha } from '../../componentes/cartao.ts';
import { escreverData, inteiro, quantos } from '../../componentes/escrita.ts';
import { comConsulta } from '../../componentes/tabela.ts';
import { entrada } from '../../formulario/campos.ts';
import { EM_BRANCO } from '../../formulario/estado.ts';
import type { EstadoDoFormulario } from '../../formulario/estado.ts';
import { escondido, formulario } from '../../formulario/formulario.ts';
import { acao, pagina } from '../../rota.ts';
import type { Chamada, Rota, Tela } from '../../rota.ts';
import { SITUACOES } from '../palavras.ts';

const FREAR = ['nfcom.emitir', 'nfcom.configurar'] as const;

const telaDaPausa = async (estado: EstadoDoFormulario): Promise<Tela> => ({
  titulo: 'Pausar o envio',
  menu: 'nfcom',
  migalhas: [['Notas fiscais', '/nfcom']],
  corpo: html`<div class="largura-leitura">
    ${cartao(
      null,
      html`<p>
          Nenhuma nota é montada nem enviada até que alguém continue o envio. Sobre as que já foram enviadas a
          autoridade continua a ser consultada, e cancelamentos continuam a sair.
        </p>
        ${formulario({
          para: '/nfcom/pausar',
          estado,
          rotulos: { porque: 'Por quê' },
          enviar: 'Pausar o envio',
          volta: '/nfcom',
          perigoso: true,
          corpo: entrada(estado, { nome: 'porque', rotulo: 'Por quê', maximo: 200, dica: 'Para quem vir o aviso.' }),
        })}`,
    )}
  </div>`,
});

const CONSULTA_DO_FILTRO = {
  situacao: opcional(escolha(SITUACOES_DE_NFCOM)),
  cliente: opcional(lerId),
  de: opcional(data),
  ate: opcional(data),
} as const;

type Consulta = ValoresDe<typeof CONSULTA_DO_FILTRO>;

const filtroDe = ({ cliente: clienteId, ...resto }: Consulta): FiltroDeNotas => ({ ...resto, clienteId });

/** What the page had counted; see `descartarQueEsperam`. */
const CONTADA = {
  ultima: exigido(lerId),
  contadas: exigido(lerId),
  soma: exigido(numeroInteiro(1, Number.MAX_SAFE_INTEGER)),
  /** In milliseconds since 1970. */
  em: exigido(numeroInteiro(1, 8_640_000_000_000_000)),
} as const;

async function telaDaDesistencia(
  { consulta, dominio }: Chamada<unknown, Consulta>,
  estado: EstadoDoFormulario,
): Promise<Tela> {
  const [{ notas, ultima, soma, em }, { pausa }] = await Promise.all([
    dominio.notas.quantasPorSair(filtroDe(consulta)),
    dominio.configuracaoNfcom.fila(),
  ]);
  const cliente = consulta.cliente === undefined ? null : await dominio.clientes.buscarPorId(consulta.cliente);
  return {
    titulo: 'Desistir das notas da fila',
    menu: 'nfcom',
    migalhas: [['Notas fiscais', '/nfcom']],
    corpo: html`<div class="largura-leitura">
      ${cartao(
        null,
        notas === 0
          ? html`<p class="m-0">Nenhuma nota espera na fila com estes filtros.</p>`
          : html`${ficha([
              ['Notas', inteiro(notas)],
              ['Situação', consulta.situacao === undefined ? 'Todas as que esperam' : SITUACOES[consulta.situacao][0]],
              ['Cliente', cliente?.nome ?? null],
              ['Pedidas de', consulta.de === undefined ? null : escreverData(consulta.de)],
              ['até', consulta.ate === undefined ? null : escreverData(consulta.ate)],
            ])}
            ${aviso('warning', 'As faturas delas ficam sem nota fiscal, até que se emita outra. Os números já dados ficam para as próximas notas. Quem mudar de ideia emite outras, juntas, pela lista das rejeitadas; substituições e ajustes, não: esses pedem-se de novo um a um, na nota que corrigem.')}
            ${
              pausa === null
                ? html`${aviso('info', 'Com o envio em curso, as notas que esperam mudam a cada momento. Pause-o antes de desistir delas.')}
                    <a class="btn" href="${BASE}/nfcom/pausar">Pausar o envio</a>`
                : formulario({
                    para: comConsulta('/nfcom/desistir', consulta),
                    estado,
                    rotulos: {},
                    enviar: `Desistir de ${quantos(notas, 'nota', 'notas')}`,
                    volta: '/nfcom',
                    perigoso: true,
                    corpo: html`${escondido('ultima', ultima)} ${escondido('contadas', notas)}
                    ${escondido('soma', soma)} ${escondido('em', em.getTime())}`,
                  })
            }`,
      )}
    </div>`,
  };
}

/** How the sending is paused, and what waits given up together. */
export const FREIO: readonly Rota[] = [
  pagina('/nfcom/pausar', { permissao: FREAR, mostrar: async () => ({ tela: await telaDaPausa(EM_BRANCO) }) }),
  acao('/nfcom/pausar', {
    permissao: FREAR,
    campos: { porque: 'texto' },
    formulario: async (_chamada, estado) => telaDaPausa(estado),
    async fazer({ dados, mudar }) {
      await mudar(async (_dominio, { nfcom }) => nfcom.pausar(dados));
      return { ir: '/nfcom', feito: 'envio_pausado' };
    },
  }),
  acao('/nfcom/continuar', {
    permissao: FREAR,
    async fazer({ mudar }) {
      await mudar(async (_dominio, { nfcom }) => nfcom.continuar());
      return { ir: '/nfcom', feito: 'envio_continuado' };
    },
  }),
  pagina('/nfcom/desistir', {
    permissao: 'nfcom.emitir',
    consulta: CONSULTA_DO_FILTRO,
    mostrar: async (chamada) => ({ tela: await telaDaDesistencia(chamada, EM_BRANCO) }),
  }),
  acao('/nfcom/desistir', {
    permissao: 'nfcom.emitir',
    campos: { ultima: 'texto', contadas: 'texto', soma: 'texto', em: 'texto' },
    consulta: CONSULTA_DO_FILTRO,
    formulario: telaDaDesistencia,
    async fazer({ consulta, dados, mudar }) {
      const contada = lerCampos(CONTADA, dados);
      const filtro = filtroDe(consulta);
      const { ultima, em, ...resto } = contada;
      let { contadas: notas, soma } = resto;
      for (let mais = true; mais;) {
        const daVez = { notas, ultima, soma, em: new Date(em) };
        const feita = await mudar(async (_dominio, { nfcom }) => nfcom.descartarQueEsperam(filtro, daVez));
        notas -= feita.notas;
        soma -= feita.soma;
        ({ mais } = feita);
      }
      return { ir: '/nfcom', feito: 'fila_esvaziada' };
    },
  }),
];
