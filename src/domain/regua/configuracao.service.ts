import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { bem, lerAlteracao, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { dinheiro, inteiro, ouNulo, simOuNao, texto } from '../campos/leitores.ts';
import type { DaVersao } from '../campos/versao.ts';
import { CamposInvalidos, faltaEm, recusarSeNao } from '../erros.ts';
import type { Falta } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { retomarRegua } from './ativa.service.ts';
import { contarAvisosEmVigor, gravarRegua, travarRegua } from './configuracao.queries.ts';
import type { Desligada } from './configuracao.queries.ts';
import { MINIMOS_DA_REGUA, PASSOS_COM_TEXTO, ULTIMA_HORA } from './regua.types.ts';
import type { ConfiguracaoRegua, PassoComTexto, TextoDoPasso } from './regua.types.ts';
import { TEXTOS_DA_CASA, faltasDoTexto } from './textos.regras.ts';

export type ConfiguracaoDaReguaService = ReturnType<typeof createConfiguracaoDaReguaService>;

const MAIOR_PRAZO = 365;
const titulo = opcional(ouNulo(texto(3, 120)));
const MAIOR_TEXTO = 2000;

/** Lines, each without what nobody sees; the breaks between them stay. */
const emLinhas: Leitor<string> = (valor) => {
  if (typeof valor !== 'string') return mal('deve ser um texto');
  const linhas = valor.split(/\r?\n/).map((linha) => (linha.trim() === '' ? bem('') : texto(1, MAIOR_TEXTO)(linha)));
  const ruim = linhas.find((linha) => 'faltas' in linha);
  if (ruim !== undefined) return ruim;
  const junto = linhas
    .flatMap((linha) => ('valor' in linha ? [linha.valor] : []))
    .join('\n')
    .trim();
  return junto.length < 20 || junto.length > MAIOR_TEXTO
    ? mal(`deve ter de 20 a ${MAIOR_TEXTO} caracteres`)
    : bem(junto);
};
const corpo = opcional(ouNulo(emLinhas));

/** For so long a notice may be acted upon: the days of the regulation, and those for which it holds after them. */
const DIAS_DE_UM_AVISO = 90;

/** What may be set of a ladder; what is not named stays as it is. A text that is null is the house's again. */
const CAMPOS_DA_REGUA = {
  ativa: opcional(simOuNao),
  confirmado: opcional(simOuNao),
  hora: opcional(inteiro(8, ULTIMA_HORA - 1)),
  lembrete_dias: opcional(ouNulo(inteiro(1, 30))),
  no_vencimento: opcional(simOuNao),
  aviso_dias: opcional(inteiro(1, 90)),
  bloqueio_dias: opcional(ouNulo(inteiro(MINIMOS_DA_REGUA.bloqueio, MAIOR_PRAZO))),
  segundo_aviso_dias: opcional(ouNulo(inteiro(1, MAIOR_PRAZO))),
  rescisao_dias: opcional(inteiro(MINIMOS_DA_REGUA.rescisao, 2 * MAIOR_PRAZO)),
  rescinde: opcional(simOuNao),
  vesperas: opcional(simOuNao),
  sem_entrega: opcional(simOuNao),
  minimo: opcional(dinheiro({ zero: true })),
  titulo_lembrete: titulo,
  texto_lembrete: corpo,
  titulo_vencimento: titulo,
  texto_vencimento: corpo,
  titulo_aviso: titulo,
  texto_aviso: corpo,
  titulo_bloqueio: titulo,
  texto_bloqueio: corpo,
  titulo_segundo_aviso: titulo,
  texto_segundo_aviso: corpo,
} as const;

export interface ConfiguracaoDaReguaDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** How a provider asks for what it is owed. */
export function createConfiguracaoDaReguaService({ w, provedor, relogio }: ConfiguracaoDaReguaDeps) {
  /** Since when it is on, after somebody has switched it. */
  async function ligada(
    antes: Pick<ConfiguracaoRegua, 'ativaDesde'> & Desligada,
    { ativa, hoje, confirmado }: { ativa: boolean | undefined; hoje: Data; confirmado: boolean | undefined },
  ): Promise<Pick<ConfiguracaoRegua, 'ativaDesde'> & Desligada> {
    const { ativaDesde, desligadaEm, ativaAntes } = antes;
    if (ativa === undefined || ativa === (ativaDesde !== null)) return { ativaDesde, desligadaEm, ativaAntes };
    if (!ativa) return { ativaDesde: null, desligadaEm: hoje, ativaAntes: ativaDesde };
    if (desligadaEm === hoje && ativaAntes !== null)
      return { ativaDesde: ativaAntes, desligadaEm: null, ativaAntes: null };
    const avisos = await contarAvisosEmVigor(w, somarDias(hoje, -DIAS_DE_UM_AVISO));
    if (avisos > 0 && confirmado !== true) {
      faltaEm('confirmado', `avisos já dados que deixam de valer, e serão dados de novo: ${avisos}; confirme`);
    }
    return { ativaDesde: somarDias(hoje, 1), desligadaEm: null, ativaAntes: null };
  }

  return {
    /**
     * Sets what is named. Days below those of the regulation are refused. A ladder that is switched on begins on the next day, and no notice of
     * before holds any more, which has to be confirmed (`confirmado`); one that was switched off on the same day goes on as it was.
     *
     * @returns the names of what was named
     * @throws CamposInvalidos; Recusa `versao_divergente`
     */
    async configurar(dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const { confirmado, ...lidos } = lerAlteracao(CAMPOS_DA_REGUA, dados);
      const { existe, ...antes } = await travarRegua(w);
      recusarSeNao(versao === undefined || versao === antes.versao, 'versao_divergente');
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const textos: Record<PassoComTexto, TextoDoPasso> = { ...antes.textos };
      for (const passo of PASSOS_COM_TEXTO) {
        const novo = lidos[`texto_${passo}`];
        const cabeca = lidos[`titulo_${passo}`];
        textos[passo] = {
          titulo: cabeca === undefined ? antes.textos[passo].titulo : (cabeca ?? TEXTOS_DA_CASA[passo].titulo),
          texto: novo === undefined ? antes.textos[passo].texto : (novo ?? TEXTOS_DA_CASA[passo].texto),
        };
      }
      const ou = <T>(novo: T | undefined, velho: T): T => (novo === undefined ? velho : novo);
      const novas = {
        ...(await ligada(antes, { ativa: lidos.ativa, hoje, confirmado })),
        hora: ou(lidos.hora, antes.hora),
        lembreteDias: ou(lidos.lembrete_dias, antes.lembreteDias),
        noVencimento: ou(lidos.no_vencimento, antes.noVencimento),
        avisoDias: ou(lidos.aviso_dias, antes.avisoDias),
        bloqueioDias: ou(lidos.bloqueio_dias, antes.bloqueioDias),
        segundoAvisoDias: ou(lidos.segundo_aviso_dias, antes.segundoAvisoDias),
        rescisaoDias: ou(lidos.rescisao_dias, antes.rescisaoDias),
        rescinde: ou(lidos.rescinde, antes.rescinde),
        vesperas: ou(lidos.vesperas, antes.vesperas),
        semEntrega: ou(lidos.sem_entrega, antes.semEntrega),
        minimo: ou(lidos.minimo, antes.minimo),
        textos,
      };
      recusarFaltas(novas);
      await gravarRegua(w, existe, novas, agora);
      // What the day's work would have done while it was off, it does now.
      if (antes.ativaDesde === null && novas.ativaDesde !== null && novas.ativaDesde <= hoje) {
        await retomarRegua(w, provedor, agora);
      }
      const campos = Object.entries(lidos).flatMap(([nome, valor]) => (valor === undefined ? [] : [nome]));
      w.touch(PROVEDOR_TAG);
      w.emit('regua.configurada', null, { campos });
      return campos;
    },
  };
}

/** @throws CamposInvalidos where two settings do not go together, or a text does not state what it must */
function recusarFaltas({
  textos,
  segundoAvisoDias,
  rescisaoDias,
}: Pick<ConfiguracaoRegua, 'textos' | 'segundoAvisoDias' | 'rescisaoDias'>): void {
  const faltas: Falta[] = PASSOS_COM_TEXTO.flatMap((passo) => faltasDoTexto(passo, textos[passo]));
  const { entreSegundoAvisoERescisao: folga } = MINIMOS_DA_REGUA;
  if (segundoAvisoDias !== null && segundoAvisoDias + folga > rescisaoDias) {
    faltas.push({
      campo: 'segundo_aviso_dias',
      codigo: 'parametro_invalido',
      mensagem: `deve deixar ${folga} dias até a rescisão`,
    });
  }
  if (faltas.length > 0) throw new CamposInvalidos(faltas);
}
