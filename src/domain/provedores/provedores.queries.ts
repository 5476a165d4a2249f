import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantWriter } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from './provedores.types.ts';
import type { MudancaDeCelula, NovoProvedor, Provedor } from './provedores.types.ts';

const DA_MUDANCA = columns<MudancaDeCelula & { id: number }>('provedores', {
  id: true,
  mudanca: true,
  mudanca_para: true,
});

/** Providers are the tenants themselves, so these queries are not of one tenant. */
export function createProvedoresQueries(db: Db) {
  const provedores = () => db('provedores').modify(comProvedor);
  return {
    async listar(): Promise<Provedor[]> {
      return (await rowsOf(provedores().orderBy('provedores.id'), COLUNAS_DE_PROVEDOR)).map(paraProvedor);
    },

    async mudancas(): Promise<Map<number, MudancaDeCelula>> {
      const rows = await rowsOf(db('provedores').whereNotNull('mudanca'), DA_MUDANCA);
      return new Map(rows.map(({ id, ...mudanca }) => [id, mudanca]));
    },

    async buscarPorId(id: number): Promise<Provedor | null> {
      const [row] = await rowsOf(provedores().where('provedores.id', id), COLUNAS_DE_PROVEDOR);
      return row === undefined ? null : paraProvedor(row);
    },

    /** Id of the provider whose panel lives on a host (lower case, no port), unless it lives in another cell; see `viveFora`. */
    async idPorHost(host: string): Promise<number | null> {
      const [row] = await rowsOf(
        db('provedores').where('panel_host', host).whereRaw("COALESCE(mudanca, '') NOT IN ('chegando', 'foi')"),
        ID,
      );
      return row?.id ?? null;
    },

    /** Whether a provider has a host, wherever it lives. */
    async temHost(host: string): Promise<boolean> {
      return (await rowsOf(db('provedores').where('panel_host', host), ID)).length > 0;
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
