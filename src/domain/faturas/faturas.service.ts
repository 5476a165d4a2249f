import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { Relogio } from '../../platform/relogio.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';
import { apurarFaturas } from './apuracao.service.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { Fatura, FiltroFaturas } from './faturas.types.ts';

export type FaturasService = ReturnType<typeof createFaturasService>;

export interface FaturasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

export function createFaturasService({ tenant, provedor, relogio, trail }: FaturasDeps) {
  const queries = createFaturasQueries(tenant);

  /** The provider's date; what is overdue, and what is owed, changes when the next one begins. */
  function hoje(): Data {
    const data = hojeEm(provedor.fusoHorario, relogio.agora());
    trail.changesAt(inicioDoDiaEm(provedor.fusoHorario, somarDias(data, 1)));
    return data;
  }

  return {
    /** One page of invoices, newest first. */
    async listar(filtro: FiltroFaturas, pagina: PageRequest): Promise<Page<Fatura>> {
      trail.dependsOn(filtro.clienteId === undefined ? FATURAS_TAG : clienteTag(filtro.clienteId));
      const data = hoje();
      const { itens, total } = await queries.listar(filtro, data, pagina);
      return { itens: await apurarFaturas(tenant, provedor, data, itens), total };
    },

    /** The invoice, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Fatura | null> {
      trail.dependsOn(faturaTag(id));
      const row = await queries.buscarPorId(id);
      if (row === undefined) return null;
      const [fatura] = await apurarFaturas(tenant, provedor, hoje(), [row]);
      return fatura ?? null;
    },
  };
}
