import { computed, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { JanelaDeQuedas } from '../conexoes.types.ts';
import { COLUNAS_DO_DETALHE } from './detalhe.types.ts';
import type { DetalheRow, SomasRow } from './detalhe.types.ts';
import { juntarDetalhe, somasDeQuedas } from './juncao.regras.ts';

export function createDetalheQueries(tenant: TenantDb) {
  return {
    /** Of one contract. */
    async detalhe(contratoId: number, janela: JanelaDeQuedas): Promise<(DetalheRow & SomasRow) | undefined> {
      const contrato = juntarDetalhe(tenant.from('contratos').where('contratos.id', contratoId));
      const somas = computed<SomasRow>(somasDeQuedas(tenant, janela));
      const [row] = await rowsOf(contrato, COLUNAS_DO_DETALHE, somas);
      return row;
    },
  };
}
