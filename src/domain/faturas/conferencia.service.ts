import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { createTenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { apurarFaturas } from './apuracao.service.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { FaturaRow, SegundaVia } from './faturas.types.ts';

export type ConferenciaService = ReturnType<typeof createConferenciaService>;

/** An open invoice of which something that is stored to pay it with is not given out. */
export interface FaturaRetirada {
  readonly id: number;
  readonly retirado: SegundaVia['retirado'];
}

const FATURAS_POR_LEITURA = 1000;

/** For staff: a subscriber only sees that a way to pay is missing. */
export function createConferenciaService({ db, relogio }: { db: Db; relogio: Relogio }) {
  return {
    /** By emission, the oldest first. */
    async *retiradas(provedor: Provedor): AsyncGenerator<FaturaRetirada> {
      const tenant = createTenantDb(db, provedor.id);
      const queries = createFaturasQueries(tenant);
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      let ultima: FaturaRow | null = null;
      for (;;) {
        const rows: FaturaRow[] = await queries.abertas(ultima, FATURAS_POR_LEITURA);
        for (const { id, segundaVia } of await apurarFaturas(tenant, provedor, hoje, rows)) {
          const retirado = segundaVia?.retirado ?? { boleto: null, pix: null };
          if (retirado.boleto !== null || retirado.pix !== null) yield { id, retirado };
        }
        ultima = rows.at(-1) ?? null;
        if (rows.length < FATURAS_POR_LEITURA) return;
      }
    },
  };
}
