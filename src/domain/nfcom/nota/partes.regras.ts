import { centavos, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { ItemDaCobranca } from '../../faturamento/faturamento.types.ts';
import { dividir } from './reparticao.regras.ts';

/** How much of an invoice of several contracts is of one of them. */
export interface ParteDaFatura {
  readonly contratoId: number;
  readonly valor: Centavos;
}

/** A charge that an invoice was made of. */
export interface CobrancaRow {
  fatura_id: number;
  contrato_id: number;
  valor: string;
  itens: string | readonly ItemDaCobranca[];
}

interface FaturaComum {
  readonly id: number;
  readonly contrato_id: number | null;
  readonly valor: string;
}

/**
 * The parts of invoices that were made of several contracts' charges, by the invoice, in the order of the contracts: each has a note of its own,
 * because a note names one contract. They add up to the invoice, also where somebody has changed its amount since.
 */
export function partesDasFaturas(
  faturas: readonly FaturaComum[],
  cobrancas: readonly Omit<CobrancaRow, 'itens'>[],
): ReadonlyMap<number, readonly ParteDaFatura[]> {
  const porFatura = groupBy(cobrancas, ({ fatura_id }) => fatura_id);
  const partes = new Map<number, readonly ParteDaFatura[]>();
  for (const { id, contrato_id, valor } of faturas) {
    if (contrato_id !== null) continue;
    const porContrato = [...groupBy(porFatura.get(id) ?? [], (uma) => uma.contrato_id)]
      .map(([contratoId, suas]) => [contratoId, suas.reduce((soma, uma) => soma + lerDinheiro(uma.valor), 0)] as const)
      .filter(([, cobrado]) => cobrado > 0)
      .toSorted(([a], [b]) => a - b);
    if (porContrato.length < 2) continue;
    const valores = dividir(
      lerDinheiro(valor),
      porContrato.map(([, cobrado]) => cobrado),
    );
    partes.set(
      id,
      porContrato.map(([contratoId], n) => ({ contratoId, valor: valores[n] ?? centavos(0) })),
    );
  }
  return partes;
}
