import { diaUtil, proximoDiaUtil } from '../../brazil/calendario/calendario-bancario.ts';
import type { CalendarioBancario } from '../../brazil/calendario/calendario-bancario.ts';
import { somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { RegrasCobranca } from '../provedores/provedores.types.ts';
import { MINIMOS_DA_REGUA } from './regua.types.ts';
import type { ConfiguracaoRegua, MotivoDeEspera } from './regua.types.ts';

/**
 * Whether banks are open on this day and on the next: whoever is blocked in the morning can then pay, and be attended, until the evening of
 * the next day.
 */
const diaDeBloqueio = (dia: Data, calendario: CalendarioBancario): boolean =>
  diaUtil(dia, calendario) && diaUtil(somarDias(dia, 1), calendario);

/**
 * The last day on which an invoice may still be paid without charges: its due date, moved to the next business day; the grace; and the days
 * for which an earlier day's PIX code still settles it.
 */
function ultimoDiaSemEncargos(vencimento: Data, { carenciaDias, toleranciaPixDias, calendario }: RegrasCobranca): Data {
  return somarDias(proximoDiaUtil(vencimento, calendario), carenciaDias + toleranciaPixDias);
}

/** When a notice was given, as it is recorded. */
export interface AvisoDado {
  /** The day on which it was written. */
  readonly dia: Data;
  /** The day from which it said that the line may be blocked. */
  readonly prazo: Data | null;
  /** The local day on which a channel, or somebody of the staff, delivered it. */
  readonly entregueEm: Data | null;
}

/** All that there is to know before a contract is blocked for an invoice. */
export interface FatosDoBloqueio {
  readonly vencimento: Data;
  /** What is missing of the invoice, without charges. */
  readonly falta: Centavos;
  readonly aberta: boolean;
  readonly aviso: AvisoDado | null;
  /** The one contract that answers for the invoice, or why there is none. */
  readonly contrato:
    { readonly situacao: SituacaoContrato; readonly isento: boolean } | 'sem_contrato' | 'varios_contratos';
  readonly pausado: boolean;
  readonly emConfianca: boolean;
  readonly prometeu: boolean;
  readonly acordoEmDia: boolean;
  readonly processando: boolean;
  /** Whether its bank may tell of a payment that is not here yet. */
  readonly esperaRetorno: boolean;
}

type RegrasDoBloqueio = Pick<ConfiguracaoRegua, 'ativaDesde' | 'bloqueioDias' | 'vesperas' | 'semEntrega' | 'minimo'>;

/**
 * So many days after the day from which a notice lets something be done, it lets nothing be done any more: with the regulation's 15 days,
 * 90 after it was given. Who was told of a block a year ago, and was not blocked, does not expect one.
 */
const VALIDADE_DO_AVISO = 75;

/**
 * Whether a notice can no longer be acted upon, and is given anew: its time is over; the ladder was switched on again since; or it stated no
 * day, because by the rules of that time nothing was to follow it.
 *
 * @param desde from which day on it would let something be done
 */
export function avisoCaducou(
  dia: Data,
  aviso: Pick<AvisoDado, 'dia' | 'prazo'>,
  desde: Data,
  { ativaDesde }: Pick<ConfiguracaoRegua, 'ativaDesde'>,
): boolean {
  const deAntes = ativaDesde !== null && aviso.dia < ativaDesde;
  return aviso.prazo === null || deAntes || dia > somarDias(desde, VALIDADE_DO_AVISO);
}

/**
 * From which day on a notice lets a contract be blocked: the days of the regulation, of today's rules and of what the notice itself said,
 * whichever is last. Null where it does not, because nobody is known to have been told.
 */
function bloqueavelDesde(
  aviso: AvisoDado,
  { bloqueioDias, semEntrega }: Pick<RegrasDoBloqueio, 'bloqueioDias' | 'semEntrega'>,
): Data | null {
  const dado = aviso.entregueEm ?? (semEntrega ? aviso.dia : null);
  if (dado === null || bloqueioDias === null) return null;
  const daRegra = somarDias(dado > aviso.dia ? dado : aviso.dia, Math.max(bloqueioDias, MINIMOS_DA_REGUA.bloqueio));
  return aviso.prazo !== null && aviso.prazo > daRegra ? aviso.prazo : daRegra;
}

/** Why a contract is not blocked for an invoice on a day; null: it is. What people can do something about comes before what time alone mends. */
export function porqueNaoBloquear(
  dia: Data,
  fatos: FatosDoBloqueio,
  regra: RegrasDoBloqueio,
  regras: RegrasCobranca,
): MotivoDeEspera | null {
  const { contrato, aviso } = fatos;
  if (!fatos.aberta) return 'quitada';
  if (typeof contrato === 'string') return contrato;
  if (contrato.situacao !== 'ativo') return 'nao_ativo';
  if (contrato.isento) return 'isento';
  if (fatos.pausado) return 'pausa';
  if (fatos.emConfianca) return 'confianca';
  if (fatos.prometeu) return 'promessa';
  if (fatos.acordoEmDia) return 'acordo';
  if (fatos.processando) return 'processando';
  if (fatos.falta < regra.minimo) return 'minimo';
  if (dia <= ultimoDiaSemEncargos(fatos.vencimento, regras)) return 'sem_encargos';
  if (aviso === null || regra.bloqueioDias === null) return 'sem_aviso_entregue';
  const desde = bloqueavelDesde(aviso, regra);
  // A notice that nobody is known to have received is given anew after the same time, because the new one may arrive.
  const seEntregue = desde ?? bloqueavelDesde(aviso, { ...regra, semEntrega: true }) ?? dia;
  if (avisoCaducou(dia, aviso, seEntregue, regra)) return 'aviso_antigo';
  if (desde === null) return 'sem_aviso_entregue';
  if (dia < desde) return 'prazo';
  if (!regra.vesperas && !diaDeBloqueio(dia, regras.calendario)) return 'vespera';
  return fatos.esperaRetorno ? 'retorno' : null;
}
