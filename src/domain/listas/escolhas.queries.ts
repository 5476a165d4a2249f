import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { distinctValues } from '../../platform/mysql/distinct-values.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { EscolhasDasListas } from './listas.types.ts';

const DO_PLANO = columns<{ id: number; nome: string; ativo: number }>('planos', { id: true, nome: true, ativo: true });

const DO_SERVIDOR = columns<{ endereco: string; nome: string | null }>('provedores_nas', {
  endereco: 'provedores_nas.nasipaddress',
  nome: 'nas.shortname',
});

/** Nobody chooses from a longer list. */
const MAIS_CIDADES = 900;

const cidadesDe = async (tenant: TenantDb, tabela: 'clientes' | 'contratos'): Promise<string[]> =>
  distinctValues(tenant, { table: tabela, index: `${tabela}_cidade`, column: 'cidade', most: MAIS_CIDADES });

/** Cities of clients and of installations. */
export const lerCidades = async (tenant: TenantDb) =>
  Promise.all([cidadesDe(tenant, 'clientes'), cidadesDe(tenant, 'contratos')]);

/** What else the filters of the lists offer. */
export async function lerEscolhas(tenant: TenantDb): Promise<Pick<EscolhasDasListas, 'planos' | 'servidores'>> {
  const [planos, servidores] = await Promise.all([
    rowsOf(tenant.from('planos').orderBy([{ column: 'ativo', order: 'desc' }, 'nome', 'id']), DO_PLANO),
    rowsOf(
      tenant
        .from('provedores_nas')
        .leftJoin('nas', 'nas.nasname', 'provedores_nas.nasipaddress')
        .orderBy('provedores_nas.nasipaddress'),
      DO_SERVIDOR,
    ),
  ]);
  return { planos: planos.map(({ id, nome, ativo }) => ({ id, nome, ativo: ativo === 1 })), servidores };
}
