import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { FaturaRow } from '../../faturas/faturas.types.ts';

interface ContratoRow {
  id: number;
  cliente_id: number;
  situacao: SituacaoContrato;
  tipo_cobranca: string;
}

type DeQuem = Pick<FaturaRow, 'id' | 'cliente_id' | 'contrato_id'>;

const DO_CONTRATO = columns<ContratoRow>('contratos', {
  id: true,
  cliente_id: true,
  situacao: true,
  tipo_cobranca: true,
});
const DA_COBRANCA = columns<{ fatura_id: number; contrato_id: number }>('faturamento_cobrancas', {
  fatura_id: true,
  contrato_id: true,
});

const VIVOS: readonly SituacaoContrato[] = ['ativo', 'bloqueado', 'inativo'];

export interface Respondem {
  /** All that may answer for one of the invoices. */
  readonly contratos: readonly ContratoRow[];
  /** Who answers for an invoice, or why nobody is known to. */
  readonly deQuem: (fatura: DeQuem) => readonly ContratoRow[] | 'sem_contrato' | 'varios_contratos';
}

/**
 * The contracts that answer for some invoices: their own; of a joint invoice, which is of none, those that it charges; of any other that is of
 * none, the only one of the client's that is not over. Three statements.
 */
export async function contratosQueRespondem(
  de: Pick<TenantDb, 'from'>,
  faturas: readonly DeQuem[],
): Promise<Respondem> {
  const semContrato = faturas.filter(({ contrato_id }) => contrato_id === null);
  const cobrancas =
    semContrato.length === 0
      ? []
      : await rowsOf(
          de
            .from('faturamento_cobrancas')
            .whereIn(
              'fatura_id',
              semContrato.map(({ id }) => id),
            )
            .where('valor', '>', 0)
            .orderBy('contrato_id'),
          DA_COBRANCA,
        );
  const cobrados = groupBy(cobrancas, ({ fatura_id }) => fatura_id);
  const ids = [...faturas.flatMap(({ contrato_id }) => contrato_id ?? []), ...cobrancas.map((c) => c.contrato_id)];
  const proprios = await rowsOf(de.from('contratos').whereIn('id', [...new Set(ids)]), DO_CONTRATO);
  const clientes = semContrato.flatMap(({ id, cliente_id }) => (cobrados.has(id) ? [] : [cliente_id]));
  const dosClientes =
    clientes.length === 0
      ? []
      : await rowsOf(
          de
            .from('contratos')
            .whereIn('cliente_id', [...new Set(clientes)])
            .whereIn('situacao', [...VIVOS]),
          DO_CONTRATO,
        );
  const porId = new Map([...proprios, ...dosClientes].map((contrato) => [contrato.id, contrato]));
  const porCliente = groupBy(dosClientes, ({ cliente_id }) => cliente_id);
  return {
    contratos: [...porId.values()],
    deQuem({ id, cliente_id, contrato_id }) {
      const dela = contrato_id === null ? cobrados.get(id)?.map((cobranca) => cobranca.contrato_id) : [contrato_id];
      const achados =
        dela === undefined
          ? (porCliente.get(cliente_id) ?? [])
          : [...new Set(dela)].flatMap((contrato) => porId.get(contrato) ?? []);
      if (achados.length === 0) return 'sem_contrato';
      return dela === undefined && achados.length > 1 ? 'varios_contratos' : achados;
    },
  };
}
