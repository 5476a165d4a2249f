import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Write } from '../../escrita.ts';
import { emitirFaturas } from '../../faturas/emissao/emissao.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { cobrancaAte } from '../calculo/cobranca.regras.ts';
import { competenciaAte } from '../calculo/meses.regras.ts';
import { nuncaServiu } from '../calculo/servico.regras.ts';
import type { ContratoAFaturar, OrigemDaVez, RegrasDoFaturamento } from '../faturamento.types.ts';
import { lerContratos } from './contratos.queries.ts';
import { contasQueRegistram } from '../../faturas/emissao/contas.service.ts';
import { cabeNumaFatura, codigoDe, faturasDe, novaFatura } from './faturas.regras.ts';
import type { CobrancaDoContrato } from './faturas.regras.ts';
import { createVezQueries } from './vez.queries.ts';

/** Of which run some charges are made. */
export interface Vez {
  readonly provedor: Provedor;
  readonly regras: RegrasDoFaturamento;
  /** The day that the run is of. */
  readonly dia: Data;
  /** The provider's local day, on which it is made: nothing is due before it. */
  readonly hoje: Data;
  /** By which what is charged is due. */
  readonly ate: Data;
  readonly origem: OrigemDaVez;
  readonly agora: Date;
}

/** The oldest month that a charge which is due by a day is of. */
const mesMaisAntigo = (ate: Data): Data => competenciaAte('pos_pago', 31, ate).mes;

/** What some contracts are charged, and those that are left out because it would fit into no invoice. */
interface CobrancasDoLote {
  readonly cobrancas: readonly CobrancaDoContrato[];
  readonly fora: readonly ContratoAFaturar[];
}

/**
 * The charges of some contracts as they are now, without those that were made already.
 *
 * @param travar holds the contracts until the transaction ends
 * @param antes what is due by this day counts as made, as a run makes it first
 */
export async function cobrancasDe(
  tenant: Write['tenant'],
  contratoIds: readonly number[],
  { provedor, regras, ate, hoje }: Pick<Vez, 'provedor' | 'regras' | 'ate' | 'hoje'>,
  { travar, antes = null }: { readonly travar: boolean; readonly antes?: Data | null },
): Promise<CobrancasDoLote> {
  const como = { fuso: provedor.fusoHorario, mes: mesMaisAntigo(antes ?? ate), travar };
  const contratos = await lerContratos(tenant, contratoIds, como);
  const feitos =
    antes === null ? contratos : contratos.map((contrato) => comCobranca(contrato, regras, { ate: antes, hoje }));
  const todas = feitos.flatMap((contrato) => aFazer(contrato, regras, { ate, hoje }) ?? []);
  return {
    cobrancas: todas.filter(cabeNumaFatura),
    fora: todas.filter((uma) => !cabeNumaFatura(uma)).map(({ contrato }) => contrato),
  };
}

/** The charge of a contract that is due by a day; null where there is none to be made. */
function aFazer(
  contrato: ContratoAFaturar,
  regras: RegrasDoFaturamento,
  { ate, hoje }: Pick<Vez, 'ate' | 'hoje'>,
): CobrancaDoContrato | null {
  const cobranca = cobrancaAte(contrato, regras, ate, hoje);
  const { competencia } = cobranca;
  if (regras.desde === null || competencia < regras.desde) return null;
  if (contrato.situacao === 'pendente' || nuncaServiu(contrato)) return null;
  const feita = contrato.feitas.some((uma) => uma.tipo === 'mensalidade' && uma.competencia === competencia);
  return feita ? null : { contrato, cobranca };
}

/** The contract as it will be when it has had its charge. */
function comCobranca(
  contrato: ContratoAFaturar,
  regras: RegrasDoFaturamento,
  quando: Pick<Vez, 'ate' | 'hoje'>,
): ContratoAFaturar {
  const feita = aFazer(contrato, regras, quando);
  if (feita === null || !cabeNumaFatura(feita)) return contrato;
  const { cobranca } = feita;
  const tomados = new Set(cobranca.itens.map(({ item }) => item));
  return {
    ...contrato,
    itens: contrato.itens.filter(({ id, tipo }) => tipo !== 'unico' || !tomados.has(id)),
    feitas: [
      ...contrato.feitas,
      { ...cobranca, tipo: 'mensalidade', bloqueado: regras.cobrarBloqueado, cancelada: false },
    ],
  };
}

/**
 * Makes the charges of some contracts and their invoices, in the transaction of `w`; resolves to how many invoices. What has changed of a
 * contract since it was looked up counts, and what another run has charged meanwhile is left out: the contracts are locked first. One
 * whose charge fits into no invoice is stepped over, and the preview says so. The
 * number of statements does not depend on how many they are.
 */
export async function gravarLote(w: Write, contratoIds: readonly number[], vez: Vez): Promise<number> {
  const { provedor, regras, dia, origem, agora } = vez;
  const { cobrancas } = await cobrancasDe(w.tenant, contratoIds, vez, { travar: true });
  if (cobrancas.length === 0) return 0;
  const queries = createVezQueries(w);
  const faturamentoId = await queries.abrir(dia, origem, agora);
  const faturas = faturasDe(cobrancas, regras, provedor.contas);
  const comConvenio = await contasQueRegistram(w);
  const novas = faturas.map((fatura) => novaFatura(fatura, faturamentoId, comConvenio));
  const como = { agora, renegociacao: null, codigoDe: codigoDe(provedor.contas), comConvenio };
  const ids = novas.length === 0 ? [] : await emitirFaturas(w, novas, como);
  const faturaDe = new Map<number, number>();
  for (const [n, fatura] of faturas.entries()) {
    for (const { contrato } of fatura.cobrancas) faturaDe.set(contrato.id, ids[n] ?? 0);
  }
  await queries.gravarCobrancas(
    { faturamento_id: faturamentoId, tipo: 'mensalidade', bloqueado: regras.cobrarBloqueado },
    cobrancas.map((uma) => ({ ...uma, faturaId: faturaDe.get(uma.contrato.id) ?? null })),
  );
  await queries.tomarUnicos(
    faturamentoId,
    cobrancas.flatMap(({ cobranca }) => cobranca.itens.flatMap(({ item }) => item ?? [])),
  );
  const total = centavos(novas.reduce((soma, { valor }) => soma + valor, 0));
  await queries.somar(faturamentoId, { cobrancas: cobrancas.length, faturas: novas.length, total });
  return novas.length;
}
