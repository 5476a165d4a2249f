import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Write } from '../../escrita.ts';
import { mesDe, somarMeses, ultimoDia } from '../../faturamento/calculo/meses.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { FATURAS_TAG } from '../../tags.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createEmissaoNfcomQueries } from './emissao.queries.ts';
import type { CandidataRow } from './emissao.queries.ts';
import type { FiltroDeEmissao } from './emissao.types.ts';
import type { PedidosNfcomService } from './pedidos.service.ts';

/** Invoices that were left without a note longer ago go by hand. */
const DIAS_PARA_TRAS = 35;

/**
 * What the day's work looks at, in this order: rejected notes that will never be issued and keep a number, at every provider; then new invoices,
 * and those of booklets that were made before and whose month has come, where notes are issued by themselves.
 */
const PARTES = ['sem_volta', 'novas', 'carnes'] as const;
type ParteDoDia = (typeof PARTES)[number];
type ParteDasFaturas = Exclude<ParteDoDia, 'sem_volta'>;

interface Linha extends CandidataRow {
  parte: ParteDoDia;
}

interface Lugar {
  readonly parte: ParteDoDia;
  readonly id: number;
}

/**
 * Frees the numbers of notes that will never be issued and, where a provider has notes issued by themselves, asks for those of new invoices: of
 * a booklet, each in its month.
 */
export function createNotasDoDia({
  fusoDe,
  pedidosDe,
}: {
  readonly pedidosDe: (w: Write, provedor: Provedor) => Pick<PedidosNfcomService, 'pedirLote' | 'soltarSemVolta'>;
  readonly fusoDe: (provedorId: number) => Promise<string>;
}): Trabalho<Linha, Lugar> {
  /** Null where notes are not issued by themselves. */
  async function filtrosDe(
    tenant: TenantDb,
    dia: Data,
  ): Promise<Readonly<Record<ParteDasFaturas, FiltroDeEmissao>> | null> {
    const { automatica, automaticaDesde } = await lerConfiguracaoNfcom(tenant);
    if (!automatica || automaticaDesde === null) return null;
    const janela = somarDias(dia, -DIAS_PARA_TRAS);
    const mesAte = mesDe(dia);
    const carnesDesde = mesDe(janela);
    return {
      novas: { emitidasDe: automaticaDesde > janela ? automaticaDesde : janela, mesAte },
      // By their due dates, which are in the month of service or in the one after.
      carnes: {
        emitidasDe: automaticaDesde,
        vencimentoDe: carnesDesde,
        vencimentoAte: ultimoDia(somarMeses(mesAte, 1)),
        carnesDesde,
        mesAte,
      },
    };
  }

  return {
    evento: 'notas.pedidas',
    etiquetas: [FATURAS_TAG],
    lugar: ({ parte, id }) => ({ parte, id }),
    // Those that have a note are no longer among them.
    retoma: false,
    async contar(tenant, dia) {
      const filtros = await filtrosDe(tenant, dia);
      if (filtros === null) return 0;
      const queries = createEmissaoNfcomQueries(tenant, await fusoDe(tenant.provedorId));
      return (await queries.quantas(filtros.novas)) + (await queries.quantas(filtros.carnes));
    },
    async proximas(tenant, dia, depoisDe, limite) {
      const filtros = await filtrosDe(tenant, dia);
      const queries = createEmissaoNfcomQueries(tenant, await fusoDe(tenant.provedorId));
      const { ambiente } = await lerConfiguracaoNfcom(tenant);
      for (const parte of PARTES.slice(PARTES.indexOf(depoisDe?.parte ?? 'sem_volta'))) {
        const aPartirDe = depoisDe?.parte === parte ? depoisDe.id : 0;
        if (parte !== 'sem_volta' && filtros === null) break;
        const rows =
          parte === 'sem_volta' || filtros === null
            ? await queries.semVolta(ambiente, aPartirDe, limite)
            : await queries.candidatas(filtros[parte], aPartirDe, limite);
        if (rows.length > 0) return rows.map((row) => ({ ...row, parte }));
      }
      return [];
    },
    preparar: async (_tenant, provedor, _dia, linhas) => async (w) => {
      const pedidos = pedidosDe(w, provedor);
      const ids = linhas.map(({ id }) => id);
      // The rows of one part at a time.
      if (linhas[0]?.parte === 'sem_volta') return pedidos.soltarSemVolta(ids);
      return (await pedidos.pedirLote({ faturaIds: ids })).notas;
    },
  };
}
