import { columns, expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { EscolhasDasListas } from './listas.types.ts';

const DA_CIDADE = expressions<{ cidade: string }>({ cidade: 'c.cidade' });
const DO_PLANO = columns<{ id: number; nome: string; ativo: number }>('planos', { id: true, nome: true, ativo: true });

const DO_SERVIDOR = columns<{ endereco: string; nome: string | null }>('provedores_nas', {
  endereco: 'provedores_nas.nasipaddress',
  nome: 'nas.shortname',
});

/** Servers go no deeper than a thousand (`cte_max_recursion_depth`), and nobody chooses from a longer list. */
const MAIS_CIDADES = 900;

/**
 * The cities of a table, each found from the one before by its index: one row of each is read. Grouped, servers read every row.
 */
async function cidadesDe(tenant: TenantDb, tabela: 'clientes' | 'contratos'): Promise<string[]> {
  const aMenorAcimaDe = (ultima: string) =>
    tenant.from(tabela, `${tabela}_cidade`).whereRaw(`${tabela}.cidade > ${ultima}`).min(`${tabela}.cidade`);
  const rows = await rowsOfSql(
    tenant.db,
    DA_CIDADE,
    (colunas) =>
      `WITH RECURSIVE c AS (
         SELECT 1 AS n, (?) AS cidade
         UNION ALL
         SELECT c.n + 1, (?) FROM c WHERE c.cidade IS NOT NULL AND c.n < ${MAIS_CIDADES}
       )
       SELECT ${colunas} FROM c WHERE c.cidade IS NOT NULL`,
    [aMenorAcimaDe("''"), aMenorAcimaDe('c.cidade')],
  );
  return rows.map(({ cidade }) => cidade);
}

/** What the filters of the lists offer. */
export async function lerEscolhas(tenant: TenantDb): Promise<EscolhasDasListas> {
  const planos = await rowsOf(
    tenant.from('planos').orderBy([{ column: 'ativo', order: 'desc' }, 'nome', 'id']),
    DO_PLANO,
  );
  return {
    cidadesDosClientes: await cidadesDe(tenant, 'clientes'),
    cidadesDosContratos: await cidadesDe(tenant, 'contratos'),
    planos: planos.map(({ id, nome, ativo }) => ({ id, nome, ativo: ativo === 1 })),
    servidores: await rowsOf(
      tenant
        .from('provedores_nas')
        .leftJoin('nas', 'nas.nasname', 'provedores_nas.nasipaddress')
        .orderBy('provedores_nas.nasipaddress'),
      DO_SERVIDOR,
    ),
  };
}
