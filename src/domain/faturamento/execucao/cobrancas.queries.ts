import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ItemDaCobranca } from '../faturamento.types.ts';

const POR_PAGINA = 50;

interface CobrancaRow {
  contrato_id: number;
  competencia: Data;
  fatura_id: number | null;
  vencimento: Data;
  valor: string;
  isenta: number;
  itens: string | readonly ItemDaCobranca[];
}

const DA_COBRANCA = columns<CobrancaRow>('faturamento_cobrancas', {
  contrato_id: true,
  competencia: true,
  fatura_id: true,
  vencimento: true,
  valor: true,
  isenta: true,
  itens: true,
});

interface CobrancaDaVez {
  readonly contratoId: number;
  /** First day of its month. */
  readonly competencia: Data;
  /** Null of what came to nothing. */
  readonly faturaId: number | null;
  readonly vencimento: Data;
  readonly valor: Centavos;
  readonly isenta: boolean;
  readonly itens: readonly ItemDaCobranca[];
}

/** A page of a run's charges; `proxima` is the place of the next one, null where there is none. */
export interface CobrancasDaVez {
  readonly itens: readonly CobrancaDaVez[];
  readonly proxima: string | null;
}

const LUGAR = /^(\d{1,15})\.(\d{4}-\d{2}-01)$/;

/** The charges of a run in the order of its index: contract, month. A place that none has named is the beginning. */
export async function cobrancasDaVez(tenant: TenantDb, id: number, depoisDe: string | null): Promise<CobrancasDaVez> {
  const query = tenant.from('faturamento_cobrancas').where('faturamento_id', id);
  const [, contrato, mes] = LUGAR.exec(depoisDe ?? '') ?? [];
  if (contrato !== undefined && mes !== undefined) {
    void query.where('contrato_id', '>=', Number(contrato)).where((q) => {
      void q.where('contrato_id', '>', Number(contrato)).orWhere('competencia', '>', mes);
    });
  }
  const rows = await rowsOf(
    query
      .orderBy('contrato_id')
      .orderBy('competencia')
      .limit(POR_PAGINA + 1),
    DA_COBRANCA,
  );
  const pagina = rows.slice(0, POR_PAGINA);
  const ultima = rows.length > POR_PAGINA ? pagina.at(-1) : undefined;
  return {
    itens: pagina.map(({ contrato_id, fatura_id, valor, isenta, itens, ...row }) => ({
      ...row,
      contratoId: contrato_id,
      faturaId: fatura_id,
      valor: lerDinheiro(valor),
      isenta: isenta === 1,
      itens: jsonColumn<readonly ItemDaCobranca[]>(itens),
    })),
    proxima: ultima === undefined ? null : `${ultima.contrato_id}.${ultima.competencia}`,
  };
}
