import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';

/** How large a provider is, by its active contracts; `desconhecido` until they have been counted. */
type Porte = 'ate_1k' | 'ate_10k' | 'mais' | 'desconhecido';

const ATIVOS = expressions<{ provedor_id: number; ativos: number }>({ provedor_id: 'provedor_id', ativos: 'COUNT(*)' });
const HORA_MS = 3_600_000;

/** The size of each provider, kept in memory, so that measures can tell large from small without naming anybody. */
export function createPortes(db: Db) {
  let ativos: ReadonlyMap<number, number> | null = null;
  let contadosEm = -Infinity;

  async function contar(): Promise<void> {
    // The index holds the active contracts of all providers side by side, and none of the others is read.
    const rows = await rowsOfSql(
      db,
      ATIVOS,
      (colunas) =>
        `SELECT ${colunas} FROM contratos FORCE INDEX (contratos_encerrar) WHERE situacao = 'ativo' GROUP BY provedor_id`,
    );
    ativos = new Map(rows.map((row) => [row.provedor_id, row.ativos]));
  }

  return {
    de(provedorId: number): Porte {
      if (ativos === null) return 'desconhecido';
      const quantos = ativos.get(provedorId) ?? 0;
      if (quantos <= 1000) return 'ate_1k';
      return quantos <= 10_000 ? 'ate_10k' : 'mais';
    },

    /** Counts them where they were counted more than an hour ago. What cannot be counted stays as it was until it is asked for again. */
    async atualizar(): Promise<void> {
      if (performance.now() - contadosEm < HORA_MS) return;
      const antes = contadosEm;
      contadosEm = performance.now();
      await contar().catch(() => {
        contadosEm = antes;
      });
    },
  };
}
