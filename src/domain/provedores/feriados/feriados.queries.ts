import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { FeriadoProprio } from './feriados.types.ts';

interface FeriadoRow {
  dia: string;
  nome: string;
  dia_util: number;
}

const DO_FERIADO = columns<FeriadoRow>('provedores_feriados', { dia: true, nome: true, dia_util: true });
const UF = columns<{ uf: string | null }>('provedores_identidade', { uf: true });

/** A provider's own days, those of every year first. */
export async function listarFeriados(db: Db, provedorId: number): Promise<FeriadoProprio[]> {
  return ler(createTenantDb(db, provedorId));
}

async function ler(tenant: TenantDb): Promise<FeriadoProprio[]> {
  const rows = await rowsOf(tenant.from('provedores_feriados').orderByRaw('CHAR_LENGTH(dia), dia'), DO_FERIADO);
  return rows.map(({ dia, nome, dia_util }) => ({ dia, nome, diaUtil: dia_util === 1 }));
}

/** The own days of the provider that is written. */
export function createFeriadosQueries(w: Write) {
  return {
    /** The state of the provider, locked until the transaction ends; undefined when there is no such provider. */
    async travar(): Promise<{ uf: string | null } | undefined> {
      const [provedor] = await rowsOf(w.tenant.db('provedores').where('id', w.provedorId).forUpdate(), ID);
      if (provedor === undefined) return undefined;
      const [identidade] = await rowsOf(w.from('provedores_identidade'), UF);
      return { uf: identidade?.uf ?? null };
    },

    listar: async (): Promise<FeriadoProprio[]> => ler(w.tenant),

    async gravar({ dia, nome, diaUtil }: FeriadoProprio, existe: boolean): Promise<void> {
      const valores = { nome, dia_util: diaUtil ? 1 : 0 };
      if (existe) await w.update('provedores_feriados', (q) => void q.where({ dia }), valores);
      else await w.insert('provedores_feriados', { dia, ...valores });
    },

    /** Resolves to how many there were. */
    remover: async (dia: string): Promise<number> => w.delete('provedores_feriados', (q) => void q.where({ dia })),
  };
}
