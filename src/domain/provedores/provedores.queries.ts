import type { Db } from '../../platform/mysql/database.ts';
import { createTenantWriter } from '../../platform/mysql/tenant.ts';
import { comProvedor, paraProvedor } from './provedores.types.ts';
import type { NovoProvedor, Provedor, ProvedorRow } from './provedores.types.ts';

/** Providers are the tenants themselves, so these queries are not of one tenant. */
export function createProvedoresQueries(db: Db) {
  const provedores = () => db('provedores').modify(comProvedor, db);
  return {
    async listar(): Promise<Provedor[]> {
      return ((await provedores().orderBy('provedores.id')) as ProvedorRow[]).map(paraProvedor);
    },

    async buscarPorId(id: number): Promise<Provedor | null> {
      const [row] = (await provedores().where('provedores.id', id)) as ProvedorRow[];
      return row === undefined ? null : paraProvedor(row);
    },

    /** Id of the provider whose panel lives on a host (lower case, no port). */
    async idPorHost(host: string): Promise<number | null> {
      const [row] = await db('provedores').where('panel_host', host).select<{ id: number }[]>('id');
      return row?.id ?? null;
    },

    /** Writes a provider and its rules with the defaults of the schema; resolves to its id. */
    async criar({ nome, panelHost, fusoHorario }: NovoProvedor): Promise<number> {
      return db.transaction(async (trx) => {
        const [id = 0] = await trx('provedores').insert({ nome, panel_host: panelHost, fuso_horario: fusoHorario });
        await createTenantWriter(trx, id).insert('regras_cobranca', {});
        return id;
      });
    },
  };
}
