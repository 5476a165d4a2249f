import type { Knex } from 'knex';
import { computed, nestedRowsOf } from '../../platform/mysql/columns.ts';
import type { Computed } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DO_CONTRATO } from './contratos.types.ts';
import type { ClienteComContratoRow, ColunasDeCliente, ContratoRow } from './contratos.types.ts';

export function createContratosQueries(tenant: TenantDb) {
  /** Joins to contracts what else a `ContratoRow` holds. */
  const completar = (contratos: Knex.QueryBuilder): Knex.QueryBuilder =>
    contratos
      .leftJoin('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
      .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'));

  function calculado(agora: Date): Computed<ContratoRow['']> {
    const emVigor = tenant
      .from('desbloqueios_confianca as d')
      .whereRaw('d.contrato_id = contratos.id')
      .whereNull('d.encerrado_em')
      .where('d.ate', '>=', toDatabaseTime(agora))
      .max('d.ate');
    // So that who has none is not asked which of them cover what.
    const avisos = tenant.from('avisos_de_rede', 'avisos_de_rede_abertos').whereNull('fim').select('id').limit(1);
    return computed<ContratoRow['']>({ desbloqueado_ate: emVigor, ha_avisos: tenant.db.raw('EXISTS (?)', [avisos]) });
  }

  return {
    async buscarPorId(id: number, agora: Date): Promise<ContratoRow | undefined> {
      const contrato = completar(tenant.from('contratos').where('contratos.id', id));
      const [row] = await nestedRowsOf(contrato, COLUNAS_DO_CONTRATO, calculado(agora));
      return row;
    },

    /** Contracts of several clients, by client and id. */
    async listarPorClientes(clienteIds: readonly number[], agora: Date): Promise<ContratoRow[]> {
      const contratos = tenant
        .from('contratos')
        .whereIn('contratos.cliente_id', clienteIds)
        .orderBy(['contratos.cliente_id', 'contratos.id']);
      return nestedRowsOf(completar(contratos), COLUNAS_DO_CONTRATO, calculado(agora));
    },

    /** Clients, with these columns, each with its contracts: a row for each contract, and one for a client that has none; in no order. */
    async juntar<Proprio, Calculado>(
      clientes: Knex.QueryBuilder,
      { proprias, calculadas }: ColunasDeCliente<Proprio, Calculado>,
      agora: Date,
    ): Promise<ClienteComContratoRow<Proprio, Calculado>[]> {
      const contratos = clientes.leftJoin('contratos', sameTenant('clientes', 'id', 'contratos', 'cliente_id'));
      const tabelas = { clientes: proprias, ...COLUNAS_DO_CONTRATO };
      return nestedRowsOf(completar(contratos), tabelas, calculadas, calculado(agora));
    },
  };
}
