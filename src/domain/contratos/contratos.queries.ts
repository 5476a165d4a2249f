import type { Knex } from 'knex';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { ContratoRow } from './contratos.types.ts';

const COLUNAS = [
  'id',
  'cliente_id',
  'situacao',
  'tipo_conexao',
  'login',
  'mac',
  'ip',
  'tipo_cobranca',
  'dia_vencimento',
  'valor',
  'ativado_em',
  'bloqueado_em',
  'plano_id',
  ...COLUNAS_DE_ENDERECO,
]
  .map((coluna) => `contratos.${coluna}`)
  .concat('planos.nome', 'planos.download_mbps', 'planos.upload_mbps')
  .concat('conexoes.contrato_id', 'conexoes.ouvida_em', 'conexoes.intervalo_segundos');

export function createContratosQueries(tenant: TenantDb) {
  /** Adds to contracts all that a `ContratoRow` holds. */
  function completar(contratos: Knex.QueryBuilder, agora: Date): Knex.QueryBuilder {
    const desbloqueadoAte = tenant
      .from('desbloqueios_confianca as d')
      .whereRaw('d.contrato_id = contratos.id')
      .whereNull('d.encerrado_em')
      .where('d.ate', '>=', toDatabaseTime(agora))
      .max('d.ate');
    return contratos
      .leftJoin('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
      .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
      .select(COLUNAS)
      .select({ desbloqueado_ate: desbloqueadoAte })
      .options({ nestTables: true });
  }

  return {
    async buscarPorId(id: number, agora: Date): Promise<ContratoRow | undefined> {
      const contrato = tenant.from('contratos').where('contratos.id', id);
      const [row] = (await completar(contrato, agora)) as ContratoRow[];
      return row;
    },

    /** Contracts of several clients, by client and id. */
    async listarPorClientes(clienteIds: readonly number[], agora: Date): Promise<ContratoRow[]> {
      const contratos = tenant
        .from('contratos')
        .whereIn('contratos.cliente_id', clienteIds)
        .orderBy(['contratos.cliente_id', 'contratos.id']);
      return (await completar(contratos, agora)) as ContratoRow[];
    },

    /** Joins to clients their contracts, in no order; where a client has none, all of its `ContratoRow` is null. */
    juntar(clientes: Knex.QueryBuilder, agora: Date): Knex.QueryBuilder {
      const contratos = clientes.leftJoin('contratos', sameTenant('clientes', 'id', 'contratos', 'cliente_id'));
      return completar(contratos, agora);
    },
  };
}
