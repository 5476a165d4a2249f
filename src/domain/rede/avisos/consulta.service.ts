import type { Knex } from 'knex';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { distinctValues } from '../../../platform/mysql/distinct-values.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { readPage } from '../../../platform/paging/pages.ts';
import type { Page, PageRequest } from '../../../platform/paging/pages.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos } from '../../campos/campos.ts';
import { AVISOS_TAG } from '../../tags.ts';
import { alvos as lerAlvos } from './avisos.campos.ts';
import { COLUNAS_DO_ALVO, COLUNAS_DO_AVISO, paraAlvo, paraAviso } from './avisos.types.ts';
import type { Aviso, AvisoComAlvos, AvisoRow, Cobertura, SituacaoPedida } from './avisos.types.ts';
import { createCoberturaQueries } from './cobertura.queries.ts';

export type ConsultaDeAvisosService = ReturnType<typeof createConsultaDeAvisosService>;

export interface FiltroDeAvisos {
  readonly situacao?: SituacaoPedida;
  /** Only those that were opened before this one. */
  readonly antesDe?: number | undefined;
}

interface Bairro {
  readonly cidade: string;
  readonly bairro: string;
}

const MAIS_BAIRROS = 1000;
const POP_DO_NAS = columns<{ pop_id: number | null }>('provedores_nas', { pop_id: true });

export interface ConsultaDeAvisosDeps {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

/** Notices of the network, and whom they cover. None of this is kept in a cache, but for the pages that programs read. */
export function createConsultaDeAvisosService({ tenant, relogio, trail }: ConsultaDeAvisosDeps) {
  const cobertura = createCoberturaQueries(tenant);

  async function ler(avisos: Knex.QueryBuilder): Promise<Aviso[]> {
    const agora = relogio.agora();
    return (await rowsOf(avisos, COLUNAS_DO_AVISO)).map((row) => paraAviso(row, agora));
  }

  async function comAlvos(avisos: readonly Aviso[]): Promise<AvisoComAlvos[]> {
    const ids = avisos.map(({ id }) => id);
    const deles = tenant.from('avisos_de_rede_alvos').whereIn('aviso_id', ids).orderBy('id');
    const alvos = groupBy(ids.length === 0 ? [] : await rowsOf(deles, COLUNAS_DO_ALVO), ({ aviso_id }) => aviso_id);
    return avisos.map((aviso) => ({ ...aviso, alvos: (alvos.get(aviso.id) ?? []).map(paraAlvo) }));
  }

  /** Notices that cover contracts of clients, open or ended since an instant, the newest beginning first: two statements. */
  async function dosClientes(
    clienteIds: readonly number[],
    desde: Date | null,
  ): Promise<(Aviso & { readonly contratoIds: readonly number[] })[]> {
    const cobertos = clienteIds.length === 0 ? [] : await cobertura.dosClientes(clienteIds, desde);
    const contratosDe = groupBy(cobertos, ({ aviso_id }) => aviso_id);
    if (contratosDe.size === 0) return [];
    const destes = tenant.from('avisos_de_rede').whereIn('id', [...contratosDe.keys()]);
    const avisos = await ler(destes.orderBy('inicio', 'desc').orderBy('id', 'desc'));
    return avisos.map((aviso) => ({
      ...aviso,
      contratoIds: [...new Set((contratosDe.get(aviso.id) ?? []).map(({ contrato_id }) => contrato_id))].toSorted(
        (a, b) => a - b,
      ),
    }));
  }

  return {
    /** All open notices, those to come included, the newest beginning first. */
    abertos: async (): Promise<AvisoComAlvos[]> =>
      comAlvos(
        await ler(tenant.from('avisos_de_rede').whereNull('fim').orderBy('inicio', 'desc').orderBy('id', 'desc')),
      ),

    /** Up to `limite` notices, those opened last first. */
    async listar({ situacao = 'todos', antesDe }: FiltroDeAvisos, limite: number): Promise<AvisoComAlvos[]> {
      const avisos = tenant.from('avisos_de_rede').orderBy('id', 'desc').limit(limite);
      daSituacao(situacao)(avisos);
      if (antesDe !== undefined) void avisos.where('id', '<', antesDe);
      return comAlvos(await ler(avisos));
    },

    /** A page of notices, those opened last first; what it says depends on the notices alone. */
    async pagina(situacao: SituacaoPedida, pagina: PageRequest): Promise<Page<Aviso>> {
      trail.dependsOn(AVISOS_TAG);
      const agora = relogio.agora();
      const { itens, total } = await readPage<AvisoRow>(
        tenant,
        {
          table: 'avisos_de_rede',
          indexes: [situacao === 'abertos' ? 'avisos_de_rede_abertos' : 'PRIMARY'],
          order: [{ column: 'id', order: 'desc' }],
          whole: situacao === 'todos',
          filter: daSituacao(situacao),
        },
        pagina,
        async (rows) => rowsOf(rows, COLUNAS_DO_AVISO),
      );
      return { itens: itens.map((row) => paraAviso(row, agora)), total };
    },

    /** The notice, or null when this tenant has none of that id. */
    async buscar(id: number): Promise<AvisoComAlvos | null> {
      const [aviso] = await comAlvos(await ler(tenant.from('avisos_de_rede').where({ id })));
      return aviso ?? null;
    },

    /** Whom targets cover, before a notice is opened. @param alvos as the form takes them. @throws CamposInvalidos */
    async previa(alvos: unknown): Promise<Cobertura> {
      return cobertura.contar(lerCampos({ alvos: exigido(lerAlvos) }, { alvos }).alvos);
    },

    /** Whom a notice covers by now: servers' lines are those whose newest session is there. */
    cobertura: async ({ alvos }: Pick<AvisoComAlvos, 'alvos'>): Promise<Cobertura> => cobertura.contar(alvos),

    /** Of some clients, those whom a notice covers by now. */
    clientesCobertos: async (
      { alvos }: Pick<AvisoComAlvos, 'alvos'>,
      entre: readonly number[],
    ): Promise<readonly number[]> => cobertura.clientes(alvos, entre),

    /** Districts where there are contracts, by city, for who chooses some. */
    async bairros(): Promise<Bairro[]> {
      const indice = { table: 'contratos', index: 'contratos_lugar' };
      const todos: Bairro[] = [];
      for (const cidade of await distinctValues(tenant, { ...indice, column: 'cidade', most: MAIS_BAIRROS })) {
        const most = MAIS_BAIRROS - todos.length;
        const dela = await distinctValues(tenant, { ...indice, column: 'bairro', where: { cidade }, most });
        todos.push(...dela.map((bairro) => ({ cidade, bairro })));
      }
      return todos;
    },

    /** Open notices that cover a contract; none of one that there is not. */
    async doContrato(contratoId: number): Promise<Aviso[]> {
      const lugar = await cobertura.lugar(contratoId);
      return lugar === undefined ? [] : ler(cobertura.cobrem(lugar));
    },

    dosClientes,

    /** Open notices that cover contracts of a client, by the contract: two statements, however many they are. */
    async doCliente(clienteId: number): Promise<ReadonlyMap<number, readonly Aviso[]>> {
      const avisos = await dosClientes([clienteId], null);
      const cobertos = new Set(avisos.flatMap(({ contratoIds }) => contratoIds));
      return new Map(
        [...cobertos].map((contratoId) => [
          contratoId,
          avisos.filter(({ contratoIds }) => contratoIds.includes(contratoId)),
        ]),
      );
    },

    /** Open notices that cover a server, by itself or by its POP, or everybody. */
    async doNas(nas: string): Promise<Aviso[]> {
      const [row] = await rowsOf(tenant.from('provedores_nas').where('nasipaddress', nas), POP_DO_NAS);
      return ler(cobertura.cobrem({ plano_id: 0, cidade: null, bairro: null, nas, pop_id: row?.pop_id ?? null }));
    },
  };
}

const daSituacao =
  (situacao: SituacaoPedida) =>
  (avisos: Knex.QueryBuilder): void => {
    if (situacao === 'abertos') void avisos.whereNull('avisos_de_rede.fim');
    if (situacao === 'encerrados') void avisos.whereNotNull('avisos_de_rede.fim');
  };
