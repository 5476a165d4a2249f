import type { Data } from '../../calendario/datas.ts';
import { centavos, type Centavos } from '../../dinheiro/dinheiro.ts';
import { aplicarTaxa, vezesQuantidade } from './decimais.ts';
import type { Crt, ItemDaNota } from '../base/nota.types.ts';
import type {
  AliquotasIbsCbs,
  Beneficio,
  Calculado,
  Contribuicao,
  RegrasIbsCbs,
  Retencoes,
  Taxa,
} from '../base/tributos.types.ts';

/** An item with all that is calculated of it, each value rounded by itself. */
export interface ItemCalculado {
  readonly item: ItemDaNota;
  /** vProd: price × quantity − discount + addition. */
  readonly valor: Centavos;
  /** Whether it is taken off the totals: a deduction (class 5…) or a devolution. */
  readonly subtrai: boolean;
  /** Null where the group has no base and value. */
  readonly icms: Calculado | null;
  readonly fcp: Calculado | null;
  readonly desonerado: Centavos | null;
  readonly pis: Calculado | null;
  readonly cofins: Calculado | null;
  readonly fust: Calculado | null;
  readonly funttel: Calculado | null;
  readonly retido: ItemRetido | null;
  /** Whether its group of IBS and CBS is written, be it with values or as a classification alone. */
  readonly classificado: boolean;
  readonly ibsCbs: ItemIbsCbs | null;
}

interface ItemRetido {
  readonly pis: Centavos;
  readonly cofins: Centavos;
  readonly csll: Centavos;
  readonly baseDoIrrf: Centavos;
  readonly irrf: Centavos;
}

export interface ItemIbsCbs {
  readonly ibsUf: Calculado;
  readonly ibsMunicipio: Calculado;
  readonly ibs: Centavos;
  readonly cbs: Calculado;
}

const ZERO = centavos(0);

/** What is the same for every item of a note. */
export interface RegrasDoCalculo {
  readonly retencoes: Retencoes | null;
  /** Null where IBS and CBS are not shown. */
  readonly ibsCbs: AliquotasIbsCbs | null;
}

/** The rates of IBS and CBS of a note of this date, or null when its group is not written. */
export function aliquotasEm(regras: RegrasIbsCbs, crt: Crt, data: Data): AliquotasIbsCbs | null {
  if (data < regras.desde[regimeDe(crt)]) return null;
  return regras.aliquotas.filter(({ desde }) => desde <= data).at(-1) ?? null;
}

/** As IBS and CBS tell the regimes apart: CRT 2 is the Simples too, above the sublimit of ICMS alone. */
export const regimeDe = (crt: Crt): 'simples' | 'normal' => (crt === 3 ? 'normal' : 'simples');

/** A devolution, or an item of the table's classes of deduction (5900101 and on), lowers the totals (MOC 1.00a, 447-462). */
const subtraiDosTotais = ({ classe, devolucao }: ItemDaNota): boolean => devolucao || classe.startsWith('5');

/** The value of an item (vProd); negative where more is taken off than it is worth. */
export const valorDoItem = ({ valorUnitario, quantidade, desconto, acrescimo }: ItemDaNota): Centavos =>
  centavos(vezesQuantidade(valorUnitario, quantidade) - desconto + acrescimo);

/**
 * Calculates an item whose data were found right. ICMS and FCP are inside the price; PIS and COFINS are calculated on
 * the price, or on what ICMS leaves of it; FUST and FUNTTEL on what ICMS, PIS and COFINS leave (Lei 9.998/2000, art.
 * 6, IV; Lei 10.052/2000, art. 4), and so are IBS and CBS (LC 214/2025, art. 12, § 2).
 */
export function calcularItem(item: ItemDaNota, { retencoes, ibsCbs }: RegrasDoCalculo): ItemCalculado {
  const { tributos } = item;
  const valor = valorDoItem(item);
  const { icms, fcp, desonerado } = calcularIcms(item, valor);
  const semIcms = centavos(valor - (icms?.valor ?? 0) - (fcp?.valor ?? 0));
  const baseDasContribuicoes = tributos.icmsForaDaBase ? semIcms : valor;
  const pis = contribuir(baseDasContribuicoes, tributos.pis);
  const cofins = contribuir(baseDasContribuicoes, tributos.cofins);
  // Rates that take more than there is would make it negative.
  const liquido = centavos(Math.max(0, semIcms - (pis?.valor ?? 0) - (cofins?.valor ?? 0)));
  return {
    item,
    valor,
    subtrai: subtraiDosTotais(item),
    icms,
    fcp,
    desonerado,
    pis,
    cofins,
    fust: tributar(liquido, tributos.fust),
    funttel: tributar(liquido, tributos.funttel),
    retido: retencoes === null ? null : reter(valor, retencoes),
    classificado: ibsCbs !== null && item.ibsCbs !== null,
    ibsCbs: ibsCbs === null || item.ibsCbs?.tributado !== true ? null : calcularIbsCbs(liquido, ibsCbs),
  };
}

function calcularIcms(
  { tributos: { icms } }: ItemDaNota,
  valor: Centavos,
): Pick<ItemCalculado, 'icms' | 'fcp' | 'desonerado'> {
  switch (icms.cst) {
    case 'fora':
    case 'simples':
      return { icms: null, fcp: null, desonerado: null };
    case '00':
      return { icms: calcular(valor, icms.aliquota), fcp: tributar(valor, icms.fcp), desonerado: null };
    case '20': {
      const base = centavos(valor - aplicarTaxa(valor, icms.reducao));
      const devido = calcular(base, icms.aliquota);
      return {
        icms: devido,
        fcp: tributar(base, icms.fcp),
        desonerado: desonerar(valor, devido.valor, icms.beneficio),
      };
    }
    case '40':
    case '41':
    case '51':
      return { icms: null, fcp: null, desonerado: desonerar(valor, ZERO, icms.beneficio) };
    case '90':
      break;
  }
  const devido = tributar(valor, icms.aliquota);
  return {
    icms: devido,
    fcp: tributar(valor, icms.fcp),
    desonerado: desonerar(valor, devido?.valor ?? ZERO, icms.beneficio),
  };
}

const calcular = (base: Centavos, aliquota: Taxa): Calculado => ({
  base,
  aliquota,
  valor: aplicarTaxa(base, aliquota),
});

const tributar = (base: Centavos, aliquota: Taxa | null): Calculado | null =>
  aliquota === null ? null : calcular(base, aliquota);

/** Those that are not taxed show zeros. */
function contribuir(base: Centavos, contribuicao: Contribuicao | null): Calculado | null {
  if (contribuicao === null) return null;
  const { cst, aliquota } = contribuicao;
  return cst === '01' || cst === '02' ? calcular(base, aliquota) : { base: ZERO, aliquota: 0, valor: ZERO };
}

function desonerar(valor: Centavos, devido: Centavos, beneficio: Beneficio | null): Centavos | null {
  if (beneficio === null) return null;
  return centavos(Math.max(0, aplicarTaxa(valor, beneficio.aliquotaCheia) - devido));
}

const reter = (valor: Centavos, { pis, cofins, csll, irrf }: Retencoes): ItemRetido => ({
  pis: aplicarTaxa(valor, pis),
  cofins: aplicarTaxa(valor, cofins),
  csll: aplicarTaxa(valor, csll),
  baseDoIrrf: irrf === 0 ? ZERO : valor,
  irrf: aplicarTaxa(valor, irrf),
});

function calcularIbsCbs(base: Centavos, { ibsUf, ibsMunicipio, cbs }: AliquotasIbsCbs): ItemIbsCbs {
  const uf = calcular(base, ibsUf);
  const municipio = calcular(base, ibsMunicipio);
  return { ibsUf: uf, ibsMunicipio: municipio, ibs: centavos(uf.valor + municipio.valor), cbs: calcular(base, cbs) };
}
