import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { EscolhasDasListas } from './listas.types.ts';

const DA_CIDADE = {
  clientes: columns<{ cidade: string }>('clientes', { cidade: true }),
  contratos: columns<{ cidade: string }>('contratos', { cidade: true }),
};
const DO_PLANO = columns<{ id: number; nome: string; ativo: number }>('planos', { id: true, nome: true, ativo: true });

/** What the filters of the lists offer: the cities by a loose scan of their index, which reads one row of each city. */
export async function lerEscolhas(tenant: TenantDb): Promise<EscolhasDasListas> {
  const cidades = async (tabela: 'clientes' | 'contratos'): Promise<string[]> => {
    const query = tenant.from(tabela, `${tabela}_cidade`).whereNotNull('cidade').groupBy('cidade').orderBy('cidade');
    return (await rowsOf(query, DA_CIDADE[tabela])).map(({ cidade }) => cidade).filter((cidade) => cidade !== '');
  };
  const planos = await rowsOf(
    tenant.from('planos').orderBy([{ column: 'ativo', order: 'desc' }, 'nome', 'id']),
    DO_PLANO,
  );
  return {
    cidadesDosClientes: await cidades('clientes'),
    cidadesDosContratos: await cidades('contratos'),
    planos: planos.map(({ id, nome, ativo }) => ({ id, nome, ativo: ativo === 1 })),
  };
}
