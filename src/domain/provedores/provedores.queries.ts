import type { Db } from '../../platform/database.ts';
import { createTenantWriter } from '../../platform/tenant.ts';
import type { NovoProvedor, Provedor } from './provedores.types.ts';

/** Columns of a provider with its rules, for any query that joins both. */
export interface ProvedorRow {
  provedor_id: number;
  provedor_nome: string;
  panel_host: string;
  fuso_horario: string;
  multa_percentual: string;
  juros_mensal_percentual: string;
  carencia_dias: number;
  desbloqueio_habilitado: number;
  desbloqueio_dias: number;
}

export const COLUNAS_DE_PROVEDOR = {
  provedor_id: 'provedores.id',
  provedor_nome: 'provedores.nome',
  panel_host: 'provedores.panel_host',
  fuso_horario: 'provedores.fuso_horario',
  multa_percentual: 'regras_cobranca.multa_percentual',
  juros_mensal_percentual: 'regras_cobranca.juros_mensal_percentual',
  carencia_dias: 'regras_cobranca.carencia_dias',
  desbloqueio_habilitado: 'regras_cobranca.desbloqueio_habilitado',
  desbloqueio_dias: 'regras_cobranca.desbloqueio_dias',
};

export function paraProvedor(row: ProvedorRow): Provedor {
  return {
    id: row.provedor_id,
    nome: row.provedor_nome,
    panelHost: row.panel_host,
    fusoHorario: row.fuso_horario,
    regras: {
      multaPercentual: centesimos(row.multa_percentual),
      jurosMensalPercentual: centesimos(row.juros_mensal_percentual),
      carenciaDias: row.carencia_dias,
      desbloqueioHabilitado: row.desbloqueio_habilitado === 1,
      desbloqueioDias: row.desbloqueio_dias,
    },
  };
}

/** Providers are the tenants themselves, so these queries are not of one tenant. */
export function createProvedoresQueries(db: Db) {
  const provedores = () =>
    db('provedores')
      .join('regras_cobranca', 'regras_cobranca.provedor_id', 'provedores.id')
      .select(COLUNAS_DE_PROVEDOR);
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

/** `2.00` → 200, without floating point. */
function centesimos(percentual: string): number {
  return Number(percentual.replace('.', ''));
}
