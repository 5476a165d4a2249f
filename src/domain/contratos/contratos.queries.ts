import type { Knex } from 'knex';
import { toDatabaseTime } from '../../platform/database.ts';
import { sameTenant } from '../../platform/tenant.ts';
import type { TenantDb } from '../../platform/tenant.ts';
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
].map((coluna) => `contratos.${coluna}`);

export function createContratosQueries(tenant: TenantDb) {
  /** Contracts with all that a `ContratoRow` holds, in one statement. */
  function contratos(agora: Date): Knex.QueryBuilder {
    const desbloqueadoAte = tenant
      .from('desbloqueios_confianca as d')
      .whereRaw('d.contrato_id = contratos.id')
      .whereNull('d.encerrado_em')
      .where('d.ate', '>=', toDatabaseTime(agora))
      .max('d.ate');
    return tenant
      .from('contratos')
      .join('planos', sameTenant('contratos', 'plano_id', 'planos', 'id'))
      .leftJoin('conexoes', sameTenant('contratos', 'id', 'conexoes', 'contrato_id'))
      .select(COLUNAS)
      .select({
        plano_nome: 'planos.nome',
        download_mbps: 'planos.download_mbps',
        upload_mbps: 'planos.upload_mbps',
        conexao_contrato_id: 'conexoes.contrato_id',
        ouvida_em: 'conexoes.ouvida_em',
        intervalo_segundos: 'conexoes.intervalo_segundos',
        desbloqueado_ate: desbloqueadoAte,
      });
  }

  return {
    async buscarPorId(id: number, agora: Date): Promise<ContratoRow | undefined> {
      const [row] = (await contratos(agora).where('contratos.id', id)) as ContratoRow[];
      return row;
    },

    /** Contracts of several clients, by client and id. */
    async listarPorClientes(clienteIds: readonly number[], agora: Date): Promise<ContratoRow[]> {
      return (await contratos(agora)
        .whereIn('contratos.cliente_id', clienteIds)
        .orderBy(['contratos.cliente_id', 'contratos.id'])) as ContratoRow[];
    },
  };
}
