import { MENOR_MEDIA_MS } from '../../../../domain/rede/panorama/panorama.regras.ts';
import type { PontoDaRede, SerieDaRede } from '../../../../domain/rede/panorama/panorama.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { bytes, dia, hora, inteiro, quantos } from '../../componentes/escrita.ts';
import { barras, figura, serie } from '../../componentes/graficos.ts';
import { tabela } from '../../componentes/tabela.ts';
import { PERIODOS, taxa } from '../palavras.ts';

const HORA_S = 3600;
/** Bars whose labels have room beside each other. */
const ROTULOS = 8;

interface Contexto {
  readonly serie: SerieDaRede;
  readonly fuso: string;
  readonly agora: Date;
}

/** The hour or the day of a point: '14:00', '21/11 14:00', '21/11'. */
function rotuloDe({ serie: { periodo, passo }, fuso }: Contexto, inicio: Date): string {
  const doDia = dia(fuso, inicio).slice(0, 5);
  if (passo === 'dia') return doDia;
  return periodo === '24h' ? hora(fuso, inicio) : `${doDia} ${hora(fuso, inicio)}`;
}

const vazia = html`<p class="text-secondary">Nada foi medido.</p>`;

function maior(pontos: readonly PontoDaRede[], de: (ponto: PontoDaRede) => number): PontoDaRede | null {
  return pontos.reduce<PontoDaRede | null>((um, outro) => (um === null || de(outro) > de(um) ? outro : um), null);
}

const doPasso = ({ serie: { passo } }: Contexto): string => (passo === 'dia' ? 'dia' : 'hora');

export function quedasPorHora(contexto: Contexto): Html {
  const { pontos, periodo } = contexto.serie;
  const total = pontos.reduce((soma, { quedas }) => soma + quedas, 0);
  const pior = maior(pontos, ({ quedas }) => quedas);
  const quando = pior === null ? '' : rotuloDe(contexto, pior.inicio);
  const achado =
    total === 0 || pior === null
      ? `Nenhuma queda em ${PERIODOS[periodo]}.`
      : `${quantos(total, 'queda', 'quedas')} em ${PERIODOS[periodo]}; ${doPasso(contexto) === 'dia' ? 'o pior dia' : 'a pior hora'} foi ${quando}, com ${inteiro(pior.quedas)}.`;
  const cada = Math.ceil(pontos.length / ROTULOS);
  const desenho = barras(
    pontos.map((ponto, n) => ({
      rotulo: n % cada === 0 ? rotuloDe(contexto, ponto.inicio).slice(0, 5) : '',
      valor: ponto.quedas,
      dito: `${rotuloDe(contexto, ponto.inicio)}: ${quantos(ponto.quedas, 'queda', 'quedas')}`,
      classe: ponto === pior && total > 0 ? ('g-ruim' as const) : ('g-barra' as const),
    })),
    achado,
  );
  return figura(
    achado,
    desenho,
    tabela({
      legenda: `Quedas por ${doPasso(contexto)}`,
      colunas: [
        { titulo: doPasso(contexto) === 'dia' ? 'Dia' : 'Hora', celula: ({ inicio }) => rotuloDe(contexto, inicio) },
        { titulo: 'Quedas', direita: true, celula: ({ quedas }) => inteiro(quedas) },
      ],
      linhas: pontos.toReversed(),
      vazia,
    }),
  );
}

/** The average of each hour or day; the last one is not over yet, and while it is young updates of the one before are most of it. */
export function trafegoPorHora(contexto: Contexto): Html {
  const { serie: lida, agora } = contexto;
  const { pontos } = lida;
  const segundos = (n: number): number => {
    const fim = pontos[n + 1]?.inicio ?? agora;
    return Math.max(
      MENOR_MEDIA_MS / 1000,
      (fim.getTime() - (pontos[n]?.inicio.getTime() ?? 0)) / 1000,
      lida.passo === 'hora' && pontos[n + 1] !== undefined ? HORA_S : 0,
    );
  };
  const medias = pontos.map((ponto, n) => ({
    ...ponto,
    baixando: (ponto.download * 8) / segundos(n),
    enviando: (ponto.upload * 8) / segundos(n),
  }));
  const [download, upload] = [soma(pontos, 'download'), soma(pontos, 'upload')];
  const pico = medias.reduce((um, outro) => (outro.baixando > um.baixando ? outro : um), medias[0] ?? NADA);
  if (download + upload === 0) {
    return html`<p class="text-secondary">
      Nenhum tráfego medido em ${PERIODOS[lida.periodo]}: os servidores só o dizem nas atualizações de cada sessão
      (interim updates).
    </p>`;
  }
  const achado = `${bytes(download)} baixados e ${bytes(upload)} enviados em ${PERIODOS[lida.periodo]}; maior média de ${taxa(pico.baixando)}, em ${rotuloDe(contexto, pico.inicio)}.`;
  return serie(
    achado,
    {
      nomes: ['Download (Mb/s)', 'Upload (Mb/s)'],
      dados: [
        medias.map(({ inicio }) => inicio.getTime() / 1000),
        medias.map(({ baixando }) => emMega(baixando)),
        medias.map(({ enviando }) => emMega(enviando)),
      ],
    },
    tabela({
      legenda: `Tráfego por ${doPasso(contexto)}`,
      colunas: [
        { titulo: lida.passo === 'dia' ? 'Dia' : 'Hora', celula: ({ inicio }) => rotuloDe(contexto, inicio) },
        { titulo: 'Baixado', direita: true, celula: (um) => bytes(um.download) },
        { titulo: 'Enviado', direita: true, celula: (um) => bytes(um.upload) },
        { titulo: 'Média de download', direita: true, celula: ({ baixando }) => taxa(baixando) },
      ],
      linhas: medias.toReversed(),
      vazia,
    }),
  );
}

/** How many lines were online at the measuring of each hour, or the most of each day. */
export function onlinePorHora(contexto: Contexto): Html {
  const { pontos, periodo, passo } = contexto.serie;
  const medidos = pontos.filter(({ online }) => online !== null);
  const [mais, ultimo] = [maior(medidos, ({ online }) => online ?? 0), medidos.at(-1)];
  if (mais === null || ultimo === undefined) {
    return html`<p class="text-secondary">Ainda não há medida: quem está online é contado uma vez por hora.</p>`;
  }
  const achado = `${inteiro(ultimo.online ?? 0)} online na última medida; o mais em ${PERIODOS[periodo]} foi ${inteiro(mais.online ?? 0)}, em ${rotuloDe(contexto, mais.inicio)}.`;
  return serie(
    achado,
    {
      nomes: ['Online'],
      dados: [pontos.map(({ inicio }) => inicio.getTime() / 1000), pontos.map(({ online }) => online)],
    },
    tabela({
      legenda: `Online por ${doPasso(contexto)}`,
      colunas: [
        { titulo: passo === 'dia' ? 'Dia' : 'Hora', celula: ({ inicio }) => rotuloDe(contexto, inicio) },
        { titulo: 'Online', direita: true, celula: ({ online }) => (online === null ? '–' : inteiro(online)) },
      ],
      linhas: pontos.toReversed(),
      vazia,
    }),
  );
}

const soma = (pontos: readonly PontoDaRede[], qual: 'download' | 'upload'): number =>
  pontos.reduce((total, ponto) => total + ponto[qual], 0);

const emMega = (bits: number): number => Math.round(bits / 1e4) / 100;

const NADA = { inicio: new Date(0), baixando: 0, enviando: 0, download: 0, upload: 0, quedas: 0, online: null };
