import { hojeEm, inicioDoDiaEm, somarDias } from '../../../../brazil/calendario/datas.ts';
import type { HistoricoDaLinha, SessaoDaLinha } from '../../../../domain/rede/linha/linha.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { barras, faixas, figura, serie } from '../../componentes/graficos.ts';
import type { Trecho } from '../../componentes/graficos.ts';
import { bytes, diaDito, duracao, hora, instante, quantos } from '../../componentes/escrita.ts';
import { tabela } from '../../componentes/tabela.ts';

interface Onde {
  readonly fuso: string;
  readonly agora: Date;
}

/** From this hour on it is evening, when most people are at home. */
const NOITE = 19;
const DIAS_DAS_SESSOES = 7;

/** Why sessions end, by the names of RFC 2866. */
const CAUSAS: Readonly<Record<string, string>> = {
  lost_carrier: 'perdeu o sinal',
  lost_service: 'perdeu o serviço',
  user_request: 'desligada pelo equipamento do cliente',
  idle_timeout: 'ficou parada',
  session_timeout: 'chegou ao tempo máximo',
  admin_reset: 'encerrada pelo provedor',
  admin_reboot: 'servidor reiniciado pelo provedor',
  port_error: 'erro na porta',
  nas_error: 'erro no servidor',
  nas_request: 'encerrada pelo servidor',
  nas_reboot: 'servidor reiniciou',
  sem_resposta: 'deixou de responder',
  desconhecida: 'sem causa dita',
};

const causaDita = (causa: string): string => CAUSAS[causa] ?? causa.replaceAll('_', ' ');

/** How a session ended, in words. */
export function fimDito({ estado, causa }: Pick<SessaoDaLinha, 'estado' | 'causa'>): string {
  if (estado === 'aberta') return 'aberta';
  return estado === 'sem_resposta' ? causaDita('sem_resposta') : causaDita(causa ?? 'desconhecida');
}

/** Why a line dropped most, of some days; empty where that is not known. */
function porQue(dias: HistoricoDaLinha['quedas']): string {
  const vezes = new Map<string, number>();
  for (const um of dias.flatMap(({ causas }) => causas)) vezes.set(um.causa, (vezes.get(um.causa) ?? 0) + um.vezes);
  const [maior] = [...vezes].toSorted(([, a], [, b]) => b - a);
  if (maior === undefined) return '';
  return vezes.size === 1
    ? `. Causa: ${causaDita(maior[0])}`
    : `. Causa mais comum: ${causaDita(maior[0])} (${maior[1]})`;
}

/** Drops of the last 7 days, how many of them in the evening, and why, as the caption says it. */
function achadoDasQuedas({ quedas, sessoes }: HistoricoDaLinha, { fuso, agora }: Onde): string {
  const primeiro = somarDias(hojeEm(fuso, agora), 1 - DIAS_DAS_SESSOES);
  const soma = (dias: HistoricoDaLinha['quedas']): number => dias.reduce((ate, um) => ate + um.quedas, 0);
  const doMes = soma(quedas);
  if (doMes === 0) return 'Nenhuma queda em 30 dias';
  const daUltimaSemana = quedas.filter(({ dia }) => dia >= primeiro);
  const daSemana = soma(daUltimaSemana);
  if (daSemana === 0) return `Nenhuma queda em 7 dias, ${doMes} em 30${porQue(quedas)}`;
  const aNoite = sessoes.filter(
    ({ queda, fim }) =>
      queda && fim !== null && hojeEm(fuso, fim) >= primeiro && Number(hora(fuso, fim).slice(0, 2)) >= NOITE,
  ).length;
  // Sessions that end within moments of each other are one drop.
  const delas = Math.min(aNoite, daSemana);
  const quando = delas === 0 ? '' : `, ${delas} ${daSemana === 1 ? 'dela' : 'delas'} depois das ${NOITE} h`;
  const quais = daSemana === 1 && delas === 1 ? `, depois das ${NOITE} h` : quando;
  return `${quantos(daSemana, 'queda', 'quedas')} em 7 dias${quais}${porQue(daUltimaSemana)}`;
}

export function quedasPorDia(historico: HistoricoDaLinha, onde: Onde): Html {
  const { quedas } = historico;
  const desenho = barras(
    quedas.map(({ dia, quedas: valor }, n) => ({
      rotulo: n % 5 === 2 ? diaDito(dia) : '',
      valor,
      dito: `${diaDito(dia)}: ${quantos(valor, 'queda', 'quedas')}`,
      classe: 'g-ruim',
    })),
    'Quedas por dia, 30 dias',
  );
  return figura(
    achadoDasQuedas(historico, onde),
    desenho,
    tabela({
      legenda: 'Quedas por dia',
      linhas: quedas.filter((um) => um.quedas > 0).toReversed(),
      vazia: html`<p class="text-secondary">Nenhuma queda em 30 dias.</p>`,
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => diaDito(dia) },
        { titulo: 'Quedas', direita: true, celula: (um) => um.quedas },
        {
          titulo: 'Causas',
          celula: ({ causas }) => causas.map(({ causa, vezes }) => `${causaDita(causa)} (${vezes})`).join(', '),
        },
      ],
    }),
  );
}

const NOMES_DOS_DIAS = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: 'UTC' });

export function sessoesPorDia({ sessoes, ultima }: HistoricoDaLinha, { fuso, agora }: Onde): Html {
  const hoje = hojeEm(fuso, agora);
  const dias = Array.from({ length: DIAS_DAS_SESSOES }, (_, n) => somarDias(hoje, n + 1 - DIAS_DAS_SESSOES));
  const desenho = faixas(
    dias.map((dia) => {
      const de = inicioDoDiaEm(fuso, dia).getTime();
      const tamanho = inicioDoDiaEm(fuso, somarDias(dia, 1)).getTime() - de;
      const trechos = sessoes.flatMap((sessao): Trecho[] => {
        const fim = (sessao.fim ?? agora).getTime();
        const inicio = sessao.inicio?.getTime() ?? fim;
        if (fim < de || inicio >= de + tamanho) return [];
        const termina = fim < de + tamanho;
        return [
          {
            de: Math.max(0, (inicio - de) / tamanho),
            ate: Math.min(1, (fim - de) / tamanho),
            classe: sessao.estado === 'aberta' ? 'g-bom' : sessao.queda && termina ? 'g-ruim' : 'g-barra',
            dito: `${hora(fuso, new Date(inicio))} a ${sessao.fim === null ? 'agora' : hora(fuso, sessao.fim)}: ${fimDito(sessao)}`,
          },
        ];
      });
      const nome = NOMES_DOS_DIAS.format(new Date(`${dia}T00:00:00Z`)).replace('.', '');
      return { rotulo: `${nome} ${dia.slice(8)}`, trechos };
    }),
    'Sessões por dia, 7 dias',
  );
  const aberta = sessoes.find(({ estado }) => estado === 'aberta');
  const achado =
    sessoes.length === 0
      ? `Nenhuma sessão em 7 dias${ultima === null || ultima.fim === null ? '' : `. A última terminou em ${diaDito(hojeEm(fuso, ultima.fim))}: ${fimDito(ultima)}`}`
      : `${quantos(sessoes.length, 'sessão', 'sessões')} em 7 dias${aberta === undefined ? ', nenhuma aberta' : ''}. Vermelho: terminou em queda; verde: aberta.`;
  return figura(
    achado,
    sessoes.length === 0 ? null : desenho,
    tabela({
      legenda: 'Sessões',
      linhas: sessoes,
      vazia: html`<p class="text-secondary">Nenhuma sessão em 7 dias.</p>`,
      colunas: [
        { titulo: 'Início', principal: true, celula: ({ inicio }) => instante(fuso, inicio) ?? 'desconhecido' },
        { titulo: 'Fim', celula: ({ fim }) => instante(fuso, fim) ?? 'aberta' },
        { titulo: 'Durou', celula: ({ duracaoSegundos }) => duracao(duracaoSegundos * 1000) },
        { titulo: 'Como terminou', celula: fimDito },
        { titulo: 'Servidor', celula: ({ nas }) => nas },
        { titulo: 'IP', celula: ({ ip }) => ip },
        { titulo: 'Recebeu', direita: true, celula: ({ download }) => (download === null ? null : bytes(download)) },
      ],
    }),
  );
}

const GIGA = 1e9;

/** Null where no session told its bytes. */
export function trafegoPorDia({ trafego }: HistoricoDaLinha, { fuso, agora }: Onde): Html | null {
  if (trafego === null) return null;
  const soma = (qual: 'download' | 'upload'): number => trafego.reduce((ate, um) => ate + um[qual], 0);
  const em = (n: number): number => Math.round((n / GIGA) * 100) / 100;
  return serie(
    `${bytes(soma('download'))} recebidos e ${bytes(soma('upload'))} enviados em 30 dias`,
    {
      nomes: ['Recebido (GB)', 'Enviado (GB)'],
      dados: [
        trafego.map(
          (_, n) => inicioDoDiaEm(fuso, somarDias(hojeEm(fuso, agora), n + 1 - trafego.length)).getTime() / 1000,
        ),
        trafego.map(({ download }) => em(download)),
        trafego.map(({ upload }) => em(upload)),
      ],
    },
    tabela({
      legenda: 'Tráfego por dia',
      linhas: trafego.toReversed(),
      vazia: html`<p class="text-secondary">Nada medido.</p>`,
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => diaDito(dia) },
        { titulo: 'Recebido', direita: true, celula: ({ download }) => bytes(download) },
        { titulo: 'Enviado', direita: true, celula: ({ upload }) => bytes(upload) },
      ],
    }),
  );
}
