import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, computed, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { JanelaDeQuedas } from '../conexoes/conexoes.types.ts';
import { COLUNAS_DO_DETALHE } from '../conexoes/detalhe/detalhe.types.ts';
import type { DetalheRow, SomasRow } from '../conexoes/detalhe/detalhe.types.ts';
import { juntarDetalhe, somasDeQuedas } from '../conexoes/detalhe/juncao.regras.ts';
import { DO_CONTRATO, juntarUltimo } from '../desbloqueios/ultimo.regras.ts';
import type { DoContratoRow } from '../desbloqueios/ultimo.regras.ts';

/** An open promise of a contract; all null where it has none. */
interface DaPromessaRow {
  promessa_id: number | null;
  promessa_data: Data | null;
  promessa_em: string | null;
}

const DA_PROMESSA = columns<DaPromessaRow>('p', {
  promessa_id: 'p.id',
  promessa_data: 'p.data',
  promessa_em: 'p.registrada_em',
});

/** Its line, its latest unblock and its promise. */
export type LinhaDoResumoRow = DetalheRow & SomasRow & DoContratoRow & DaPromessaRow;

/** What is said of contracts besides themselves: one statement, however many they are, because each costs a caller more than its rows do. */
export async function linhasDoResumo(
  tenant: TenantDb,
  contratoIds: readonly number[],
  janela: JanelaDeQuedas,
): Promise<LinhaDoResumoRow[]> {
  if (contratoIds.length === 0) return [];
  const contratos = juntarUltimo(tenant, juntarDetalhe(tenant.from('contratos'))).leftJoin(
    'promessas_pagamento as p',
    function on() {
      sameTenant('contratos', 'id', 'p', 'contrato_id').call(this);
      // Not what somebody promised who held the contract before.
      this.on('p.cliente_id', '=', 'contratos.cliente_id').andOn('p.em_aberto', '=', tenant.db.raw('1'));
    },
  );
  return rowsOf(
    contratos.whereIn('contratos.id', [...contratoIds]),
    COLUNAS_DO_DETALHE,
    DO_CONTRATO,
    DA_PROMESSA,
    computed<SomasRow>(somasDeQuedas(tenant, janela)),
  );
}
