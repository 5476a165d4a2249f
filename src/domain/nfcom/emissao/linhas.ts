import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { createMontagemQueries } from '../nota/montagem.queries.ts';
import { partesDasFaturas } from '../nota/partes.regras.ts';
import type { CandidataRow, NotaRow } from './emissao.queries.ts';
import { impedeOutra } from './prazos.regras.ts';

/** A note that is to be written: of an invoice or, where it was made of several contracts' charges, of one contract's part of it. */
export interface NovaNota {
  readonly fatura_id: number;
  readonly cliente_id: number;
  readonly contrato_id: number | null;
  readonly valor: string;
}

/** The notes that invoices are to have, in the order of the invoices. One statement, where some of them name no contract. */
export async function notasDe(tenant: TenantDb, faturas: readonly CandidataRow[]): Promise<NovaNota[]> {
  const juntas = faturas.filter(({ contrato_id }) => contrato_id === null).map(({ id }) => id);
  const partes = partesDasFaturas(faturas, await createMontagemQueries(tenant).cobrancas(juntas));
  return faturas.flatMap(({ id: fatura_id, cliente_id, contrato_id, valor }): NovaNota[] => {
    const suas = partes.get(fatura_id);
    if (suas === undefined) return [{ fatura_id, cliente_id, contrato_id, valor }];
    return suas.map((uma) => ({
      fatura_id,
      cliente_id,
      contrato_id: uma.contratoId,
      valor: escreverDinheiro(uma.valor),
    }));
  });
}

/** The note that stands in the way of another one of the same; undefined: it may be asked for. */
export function vivaDe(
  { contrato_id }: NovaNota,
  notas: readonly NotaRow[],
  { ambiente, deVarios }: { readonly ambiente: NotaRow['ambiente']; readonly deVarios: boolean },
): NotaRow | undefined {
  return notas.find((nota) => (!deVarios || nota.contrato_id === contrato_id) && impedeOutra(nota, ambiente));
}
