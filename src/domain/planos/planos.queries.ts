import { ID, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { TotalDaLista } from '../listas/listas.types.ts';
import { COLUNAS_DO_PLANO, COLUNAS_DO_PLANO_DA_EQUIPE } from './planos.types.ts';
import type { PlanoComContratos, PlanoRow } from './planos.types.ts';

/** Contracts are counted up to here before a plan's value is changed. */
const TETO = 5000;
/** What is not cancelled. */
const EM_VIGOR = ['pendente', 'ativo', 'bloqueado', 'inativo'] as const;
const DA_CONTAGEM = expressions<{ plano_id: number; contratos: number }>({
  plano_id: 'plano_id',
  contratos: 'COUNT(*)',
});

export function createPlanosQueries(tenant: TenantDb) {
  return {
    /** A plan, on sale or not. */
    async buscarPorId(id: number): Promise<PlanoRow | undefined> {
      const [row] = await rowsOf(tenant.from('planos').where('planos.id', id), COLUNAS_DO_PLANO);
      return row;
    },

    /** Plans on sale, by name. */
    async listarAtivos(): Promise<PlanoRow[]> {
      return rowsOf(tenant.from('planos').where('planos.ativo', 1).orderBy(['nome', 'id']), COLUNAS_DO_PLANO);
    },

    /** Plans, on sale or not, by name, with how many contracts each has: all, or one of them. Of the contracts an index alone is read, once. */
    async listarTodos(id?: number): Promise<PlanoComContratos[]> {
      const planos = tenant.from('planos').orderBy(['nome', 'id']);
      const contratos = tenant
        .from('contratos', 'contratos_do_plano')
        .whereIn('situacao', EM_VIGOR)
        .groupBy('plano_id');
      if (id !== undefined) {
        void planos.where({ id });
        void contratos.where('plano_id', id);
      }
      const [rows, contagens] = await Promise.all([
        rowsOf(planos, COLUNAS_DO_PLANO_DA_EQUIPE),
        rowsOf(contratos, DA_CONTAGEM),
      ]);
      const porPlano = new Map(contagens.map((um) => [um.plano_id, um.contratos]));
      return rows.map((row) => ({ ...row, contratos: porPlano.get(row.id) ?? 0 }));
    },

    /** How many contracts a new value of the plan would reach: those that have the value of now, unless they are over. */
    async comValorDoPlano({ id, valor }: Pick<PlanoRow, 'id' | 'valor'>): Promise<TotalDaLista> {
      const deles = tenant
        .from('contratos')
        .where('contratos.plano_id', id)
        .where('contratos.valor', valor)
        .whereNot('contratos.situacao', 'cancelado_definitivo');
      const { length } = await rowsOf(deles.limit(TETO + 1), ID);
      return length > TETO ? { quantos: TETO, exato: false } : { quantos: length, exato: true };
    },
  };
}
