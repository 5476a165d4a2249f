import { rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb, sameTenant } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DAS_QUEDAS, COLUNAS_DO_CONTRATO_COM_CONEXAO, COLUNAS_DO_RADACCT } from './conexoes.types.ts';
import type { ContratoConexaoRow, QuedasDiariasRow, RadacctRow } from './conexoes.types.ts';
import { sessoesDoLogin } from './radacct.regras.ts';

export function createConexoesQueries(db: Db, provedorId: number) {
  const tenant = createTenantDb(db, provedorId);
  return {
    async buscarContrato(contratoId: number): Promise<ContratoConexaoRow | undefined> {
      const contrato = tenant
        .from('contratos')
        .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
        .where('contratos.id', contratoId);
      const [row] = await rowsOf(contrato, COLUNAS_DO_CONTRATO_COM_CONEXAO);
      return row;
    },

    /** Drops of the local days from `primeiro` to `ultimo`, both included. */
    async quedasPorDia(contratoId: number, primeiro: string, ultimo: string): Promise<QuedasDiariasRow[]> {
      const quedas = tenant.from('quedas_diarias').where('contrato_id', contratoId);
      return rowsOf(quedas.whereBetween('dia', [primeiro, ultimo]), COLUNAS_DAS_QUEDAS);
    },

    async sessoes(login: string, desde: Date, limite: number): Promise<RadacctRow[]> {
      return rowsOf(sessoesDoLogin(tenant, login, desde, limite), COLUNAS_DO_RADACCT);
    },
  };
}
