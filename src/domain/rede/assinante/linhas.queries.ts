import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { NOME_DO_SERVIDOR } from '../../conexoes/radacct.regras.ts';

interface ServidorRow {
  contrato_id: number;
  /** Null where there was no session yet, or the server is the provider's no more. */
  nas: string | null;
  nome: string | null;
}

const DO_SERVIDOR = columns<ServidorRow>('contratos', {
  contrato_id: 'contratos.id',
  nas: 'n.nasipaddress',
  nome: NOME_DO_SERVIDOR,
});

const DAS_QUEDAS = columns<{ contrato_id: number; quedas: number }>('quedas_diarias', {
  contrato_id: true,
  quedas: 'CAST(SUM(quedas_diarias.quedas) AS UNSIGNED)',
});

export function createLinhasDoAssinanteQueries(tenant: TenantDb) {
  return {
    /** The server of the newest session of each contract of clients. */
    servidores: async (clienteIds: readonly number[]): Promise<ServidorRow[]> =>
      rowsOf(
        tenant
          .from('contratos')
          .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
          .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
          .leftJoin('nas', 'nas.nasname', 'n.nasipaddress')
          .whereIn('contratos.cliente_id', clienteIds),
        DO_SERVIDOR,
      ),

    /** Drops of contracts on the local days from one to another, of those that had any. */
    quedas: async (contratoIds: readonly number[], de: string, ate: string) =>
      rowsOf(
        tenant
          .from('quedas_diarias', 'PRIMARY')
          .whereIn('contrato_id', contratoIds)
          .whereBetween('dia', [de, ate])
          .groupBy('contrato_id'),
        DAS_QUEDAS,
      ),
  };
}
