import { proximoDiaUtil } from '../../../brazil/calendario/calendario-bancario.ts';
import { fimDoDiaEm, hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../brazil/dinheiro/encargos.ts';
import { txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { CobrancaRow, ConvenioRow } from '../psp.types.ts';

/** What of an invoice says whether it is charged at a PSP, and for how much. */
export interface FaturaACobrar {
  readonly id: number;
  readonly cliente_id: number;
  readonly cobrador_id: number | null;
  readonly situacao: string;
  readonly valor: string;
  readonly valor_pago: string;
  readonly abatido: string;
  readonly vencimento: string;
  readonly pix_txid: string | null;
}

/**
 * What is to be done about an invoice's charge. `trocar`: the one it has ends, and another one takes its place. `alterar`: the one it has
 * is to say what the invoice says by now. `devolver`: it has the code of one that was paid, and asks by its own again.
 */
export type Decisao = 'nada' | 'criar' | 'trocar' | 'alterar' | 'remover' | 'concluir' | 'repetir' | 'devolver';

type ConvenioQueCobra = Pick<ConvenioRow, 'id' | 'tipo' | 'validade_dias'>;

/** A charge as an invoice asks for it today. */
export type NovaCobranca = Pick<
  CobrancaRow,
  | 'tipo'
  | 'valor'
  | 'vencimento'
  | 'multa'
  | 'juros_modalidade'
  | 'juros'
  | 'validade_dias'
  | 'expira_em'
  | 'valor_fatura'
  | 'vencimento_fatura'
>;

export const emAberto = ({ situacao }: Pick<FaturaACobrar, 'situacao'>): boolean =>
  situacao === 'pendente' || situacao === 'vencida';

/**
 * Of an invoice of which a part was paid or forgiven, the static code asks for the rest to the centavo; a PSP's would ask for the whole
 * (ADR 20).
 */
export function cobravel(fatura: FaturaACobrar): boolean {
  const inteira = lerDinheiro(fatura.valor_pago) === 0 && lerDinheiro(fatura.abatido) === 0;
  return emAberto(fatura) && inteira && lerDinheiro(fatura.valor) > 0;
}

/**
 * @param convenio the active agreement of the invoice's account; null: there is none
 * @param viva the charge that the invoice has
 * @param paga whether a PIX of the charge's txid is known
 * @param gasta whether the code that the invoice has is of a charge that was paid, whose PIX is known: no bank takes it again
 * @param deNovo whether what was refused is to be tried again
 */
export function decidir(
  fatura: FaturaACobrar,
  convenio: ConvenioQueCobra | null,
  viva: CobrancaRow | null,
  como: {
    readonly paga: boolean;
    readonly gasta: boolean;
    readonly deNovo: boolean;
    readonly agora: Date;
    readonly hoje: Data;
  },
): Decisao {
  const serve = convenio !== null && cobravel(fatura);
  if (viva === null) {
    // A dynamic txid that is none of ours was imported with its code, and stays.
    const livre = como.gasta || fatura.pix_txid === null || txidEstaticoValido(fatura.pix_txid);
    if (serve && livre) return 'criar';
    return como.gasta && emAberto(fatura) ? 'devolver' : 'nada';
  }
  if (como.paga) return 'concluir';
  if (fatura.situacao === 'processando') return 'nada';
  if (!serve || viva.convenio_id !== convenio.id) return 'remover';
  if (fromDatabaseTime(viva.expira_em) <= como.agora) return 'trocar';
  const igual = viva.valor_fatura === fatura.valor && viva.vencimento_fatura === fatura.vencimento;
  if (igual) return viva.estado === 'recusada' && como.deNovo ? 'repetir' : 'nada';
  const emDia = viva.tipo === 'cobv' && viva.vencimento === viva.vencimento_fatura && fatura.vencimento >= como.hoje;
  return emDia && viva.estado !== 'recusada' ? 'alterar' : 'trocar';
}

/**
 * The charge of an invoice that can be charged. One that is not due yet has the invoice's amount and due date, and the provider's fine and
 * interest: the PSP reckons them at each reading. Days of grace cannot be said to a PSP, so with them the charge ends with the grace, and
 * the next one asks for what is owed then. One that is overdue is due today for what is owed today, without another fine, and with what
 * the principal bears a day, rounded down.
 */
export function novaCobranca(
  fatura: FaturaACobrar,
  convenio: ConvenioQueCobra,
  { regras, fusoHorario }: Pick<Provedor, 'regras' | 'fusoHorario'>,
  agora: Date,
): NovaCobranca {
  const hoje = hojeEm(fusoHorario, agora);
  const vencimento = fatura.vencimento as Data;
  const valor = lerDinheiro(fatura.valor);
  const { calendario, multaPercentual, jurosMensalPercentual, carenciaDias } = regras;
  const { total } = calcularEncargos({ valor, vencimento, hoje, regras });
  const util = proximoDiaUtil(vencimento, calendario);
  const vencida = util < hoje;
  const daFatura = { valor_fatura: fatura.valor, vencimento_fatura: fatura.vencimento };
  const expira = (dia: Data): string => toDatabaseTime(fimDoDiaEm(fusoHorario, dia));
  const semEncargos = { multa: 0, juros_modalidade: null, juros: '0.00' };
  if (convenio.tipo === 'cob') {
    // Without due date it asks for one amount: until the day from which more is owed.
    const ate = vencida ? hoje : util;
    return {
      ...daFatura,
      ...semEncargos,
      tipo: 'cob',
      valor: escreverDinheiro(total),
      vencimento: ate,
      validade_dias: 0,
      expira_em: expira(ate),
    };
  }
  const comPrazo = (dia: Data, dias: number) => ({ validade_dias: dias, expira_em: expira(somarDias(dia, dias)) });
  if (!vencida) {
    const comum = {
      ...daFatura,
      tipo: 'cobv',
      valor: fatura.valor,
      vencimento: vencimento < hoje ? hoje : vencimento,
    } as const;
    if (carenciaDias > 0) return { ...comum, ...semEncargos, ...comPrazo(util, carenciaDias) };
    const juros = jurosMensalPercentual > 0;
    return {
      ...comum,
      multa: multaPercentual,
      juros_modalidade: juros ? 3 : null,
      juros: juros ? escreverDinheiro(centavos(jurosMensalPercentual)) : '0.00',
      ...comPrazo(util, convenio.validade_dias),
    };
  }
  const emCarencia = total === valor && carenciaDias > 0;
  const aoDia = Math.floor((valor * jurosMensalPercentual) / 300_000);
  return {
    ...daFatura,
    tipo: 'cobv',
    valor: escreverDinheiro(total),
    vencimento: hoje,
    multa: 0,
    juros_modalidade: emCarencia || aoDia === 0 ? null : 1,
    juros: emCarencia || aoDia === 0 ? '0.00' : escreverDinheiro(centavos(aoDia)),
    ...comPrazo(proximoDiaUtil(hoje, calendario), emCarencia ? 0 : convenio.validade_dias),
  };
}
