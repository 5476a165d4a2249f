import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { FATURAS_TAG } from '../../tags.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createEmissaoNfcomQueries } from './emissao.queries.ts';
import type { CandidataRow } from './emissao.queries.ts';
import type { FiltroDeEmissao } from './emissao.types.ts';
import { createPedidosNfcomService } from './pedidos.service.ts';

/** Invoices that were left without a note longer ago go by hand. */
const DIAS_PARA_TRAS = 35;

interface Lugar {
  readonly id: number;
}

/** Asks for the notes of the invoices that are new, where a provider has them issued by themselves. */
export function createNotasDoDia({
  relogio,
  fusoDe,
}: {
  readonly relogio: Relogio;
  readonly fusoDe: (provedorId: number) => Promise<string>;
}): Trabalho<CandidataRow, Lugar> {
  /** Null where notes are not issued by themselves. */
  async function filtroDe(tenant: TenantDb, dia: Data): Promise<FiltroDeEmissao | null> {
    const { automatica, automaticaDesde } = await lerConfiguracaoNfcom(tenant);
    if (!automatica || automaticaDesde === null) return null;
    const janela = somarDias(dia, -DIAS_PARA_TRAS);
    return { emitidasDe: automaticaDesde > janela ? automaticaDesde : janela };
  }

  return {
    evento: 'notas.pedidas',
    etiquetas: [FATURAS_TAG],
    lugar: ({ id }) => ({ id }),
    // Those that have a note are no longer among them.
    retoma: false,
    async contar(tenant, dia) {
      const filtro = await filtroDe(tenant, dia);
      if (filtro === null) return 0;
      return createEmissaoNfcomQueries(tenant, await fusoDe(tenant.provedorId)).quantas(filtro);
    },
    async proximas(tenant, dia, depoisDe, limite) {
      const filtro = await filtroDe(tenant, dia);
      if (filtro === null) return [];
      const queries = createEmissaoNfcomQueries(tenant, await fusoDe(tenant.provedorId));
      return queries.candidatas(filtro, depoisDe?.id ?? 0, limite);
    },
    preparar: async (_tenant, provedor, _dia, faturas) => async (w) => {
      const pedidos = createPedidosNfcomService({ w, provedor, relogio });
      const { notas } = await pedidos.pedirLote({ faturaIds: faturas.map(({ id }) => id) });
      return notas;
    },
  };
}
