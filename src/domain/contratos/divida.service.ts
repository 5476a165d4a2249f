import { corteDoAtraso } from '../../brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../brazil/calendario/datas.ts';
import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** A contract, by whose it is. */
interface DeContrato {
  readonly id: number;
  readonly cliente_id: number;
}

/** An invoice, by whom it is of. */
interface DeQuem {
  readonly cliente_id: number;
  readonly contrato_id: number | null;
}

const DE_QUEM = columns<DeQuem>('faturas', { cliente_id: true, contrato_id: true });
const CONTRATO = columns<{ contrato_id: number }>('faturas', { contrato_id: true });

/**
 * Whether a contract answers for an invoice: its own, one of its client that is of no contract, or, where the contract has no invoices, any of its
 * client's. What blocks a contract and what ends its block are both this.
 */
function responde(contrato: DeContrato, temFaturas: boolean, fatura: DeQuem): boolean {
  if (fatura.contrato_id === contrato.id) return true;
  return fatura.cliente_id === contrato.cliente_id && (fatura.contrato_id === null || !temFaturas);
}

/**
 * Those of some contracts that answer for an open invoice that is late by now; the days of grace are of charges alone, and not of this.
 * `esperar` waits for payments that are just being written; who holds the lock of all the contracts that they could release has none to
 * wait for.
 */
export async function devemEmAtraso<C extends DeContrato>(
  w: Write,
  contratos: readonly C[],
  { fusoHorario, regras }: Provedor,
  { agora, esperar }: { agora: Date; esperar: boolean },
): Promise<C[]> {
  if (contratos.length === 0) return [];
  const corte = corteDoAtraso(hojeEm(fusoHorario, agora), regras.calendario);
  async function atrasadas(coluna: keyof DeQuem, ids: readonly number[]): Promise<DeQuem[]> {
    const faturas = w
      .from('faturas')
      .whereIn(coluna, [...new Set(ids)])
      .where('grupo', 'aberta')
      .where('vencimento', '<=', corte)
      .modify((query) => void (esperar && query.forShare()));
    return rowsOf(faturas, DE_QUEM);
  }
  const proprias = await atrasadas(
    'contrato_id',
    contratos.map(({ id }) => id),
  );
  const dosClientes = await atrasadas(
    'cliente_id',
    contratos.map(({ cliente_id }) => cliente_id),
  );
  const comProprias = new Set(proprias.map(({ contrato_id }) => contrato_id));
  const porCliente = groupBy(dosClientes, ({ cliente_id }) => cliente_id);
  const comFatura = await comFaturas(w, contratos);
  return contratos.filter(
    (contrato) =>
      comProprias.has(contrato.id) ||
      porCliente.get(contrato.cliente_id)?.some((fatura) => responde(contrato, comFatura.has(contrato.id), fatura)),
  );
}

/** Which of the contracts have invoices of their own, in whatever state. */
async function comFaturas(w: Write, contratos: readonly DeContrato[]): Promise<Set<number>> {
  if (contratos.length === 0) return new Set();
  const ids = contratos.map(({ id }) => id);
  const rows = await rowsOf(w.from('faturas').whereIn('contrato_id', ids).distinct(), CONTRATO);
  return new Set(rows.map(({ contrato_id }) => contrato_id));
}
