import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import type { Page, PageRequest, Slice, SliceRequest } from '../../platform/paging/pages.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { inicioDaLeitura, leituraDe, proximaNovidade } from '../leituras.ts';
import type { LeitorDe } from '../leituras.ts';
import { FATURAS_TAG, faturaTag, tagsDasFaturasDe } from '../tags.ts';
import { apurarFaturas } from './apuracao.service.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { AbertasMudadas, Fatura, FiltroDoAssinante, FiltroFaturas } from './faturas.types.ts';

export type FaturasService = ReturnType<typeof createFaturasService>;

export interface FaturasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly leitorDe: LeitorDe;
}

export function createFaturasService({ tenant, provedor, relogio, trail, leitorDe }: FaturasDeps) {
  const queries = createFaturasQueries(tenant);

  /** The provider's date; what is overdue, and what is owed, changes when the next one begins. */
  function hoje(): Data {
    const data = hojeEm(provedor.fusoHorario, relogio.agora());
    trail.changesAt(inicioDoDiaEm(provedor.fusoHorario, somarDias(data, 1)));
    return data;
  }

  /** What is owed changes each day of itself from the due date on, and with what the provider says of itself. */
  async function mudadas({ atualizadoDesde }: FiltroFaturas, data: Data): Promise<AbertasMudadas> {
    if (atualizadoDesde === undefined) return 'nenhuma';
    if (await queries.provedorMudou(atualizadoDesde)) return 'todas';
    return hojeEm(provedor.fusoHorario, inicioDaLeitura(atualizadoDesde)) < data ? 'vencidas' : 'nenhuma';
  }

  async function buscarNoDia(id: number): Promise<{ readonly fatura: Fatura; readonly dia: Data } | null> {
    trail.dependsOn(faturaTag(id));
    const row = await queries.buscarPorId(id);
    if (row === undefined) return null;
    const dia = hoje();
    const [fatura] = await apurarFaturas(tenant, provedor, dia, [row]);
    return fatura === undefined ? null : { fatura, dia };
  }

  return {
    /** One page of invoices, newest first. */
    async listar(filtro: FiltroFaturas, pagina: PageRequest): Promise<Page<Fatura>> {
      if (filtro.atualizadoDesde !== undefined) trail.changesAt(proximaNovidade(relogio.agora()));
      trail.dependsOn(...(filtro.clienteId === undefined ? [FATURAS_TAG] : tagsDasFaturasDe(filtro.clienteId)));
      const data = hoje();
      const todos = filtro.clienteId === undefined && filtro.contratoId === undefined;
      const leitura = leituraDe('faturas', filtro, todos ? leitorDe([FATURAS_TAG]) : null, data);
      const { itens, total } = await queries.listar(filtro, data, await mudadas(filtro, data), pagina, leitura);
      return { itens: await apurarFaturas(tenant, provedor, data, itens), total };
    },

    /** A subscriber's invoices after a place, newest first. */
    async listarApos(filtro: FiltroDoAssinante, pedida: SliceRequest): Promise<Slice<Fatura>> {
      trail.dependsOn(...filtro.clienteIds.flatMap(tagsDasFaturasDe));
      const data = hoje();
      const { itens, ...parte } = await queries.listarApos(filtro, data, pedida);
      return { ...parte, itens: await apurarFaturas(tenant, provedor, data, itens) };
    },

    /** All open invoices of some clients, the oldest due first. */
    async abertasDosClientes(clienteIds: readonly number[]): Promise<Fatura[]> {
      trail.dependsOn(...clienteIds.flatMap(tagsDasFaturasDe));
      const data = hoje();
      return apurarFaturas(tenant, provedor, data, await queries.abertasDosClientes(clienteIds));
    },

    /** The invoice, or null when this tenant has none of that id. */
    buscarPorId: async (id: number): Promise<Fatura | null> => (await buscarNoDia(id))?.fatura ?? null,

    /** The same with the provider's date that it was judged on. */
    buscarNoDia,
  };
}
