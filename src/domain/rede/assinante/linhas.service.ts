import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { AVISOS_TAG } from '../../tags.ts';
import type { Aviso } from '../avisos/avisos.types.ts';
import type { ConsultaDeAvisosService } from '../avisos/consulta.service.ts';
import { createLinhasDoAssinanteQueries } from './linhas.queries.ts';

export type LinhasDoAssinanteService = ReturnType<typeof createLinhasDoAssinanteService>;

/** The server of a line's newest session; its name is null where it has none. */
export interface ServidorDaLinha {
  readonly nome: string | null;
}

/** A line as its subscriber is told of it, beside its state. */
export interface LinhaDoAssinante {
  readonly servidor: ServidorDaLinha | null;
  /** Of the last 7 local days, today included. */
  readonly quedas7Dias: number;
}

/** A notice, and which of somebody's contracts it covers. */
export interface AvisoDoAssinante extends Aviso {
  readonly contratoIds: readonly number[];
}

export interface LinhasDoAssinanteDeps {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly trail: Trail;
  readonly avisos: Pick<ConsultaDeAvisosService, 'dosClientes'>;
}

const DIA_MS = 86_400_000;
/** As all that is said of the network. */
const VALIDADE_MS = 10_000;
/** For so long a notice that has ended is still told. */
const DIAS_DO_AVISO = 3;

/** Lines of a subscriber and what is told of the network they hang on. Whose the registrations are is the caller's to know. */
export function createLinhasDoAssinanteService(deps: LinhasDoAssinanteDeps) {
  const { tenant, provedor, relogio, trail, avisos } = deps;
  const queries = createLinhasDoAssinanteQueries(tenant);

  /** Notices that cover contracts of registrations, open or ended within three days, the newest beginning first. */
  async function avisosDe(clienteIds: readonly number[]): Promise<AvisoDoAssinante[]> {
    trail.dependsOn(AVISOS_TAG);
    const agora = relogio.agora().getTime();
    const cobertos = await avisos.dosClientes(clienteIds, new Date(agora - DIAS_DO_AVISO * DIA_MS));
    for (const { situacao, inicio, fim } of cobertos) {
      if (situacao === 'agendado') trail.changesAt(inicio);
      if (fim !== null) trail.changesAt(new Date(fim.getTime() + DIAS_DO_AVISO * DIA_MS));
    }
    return cobertos;
  }

  return {
    avisos: avisosDe,

    /** Of one contract: its server, and the notice that is in force for it, of several the one that began last. */
    async daLinha(
      contratoId: number,
      clienteId: number,
    ): Promise<{ readonly servidor: ServidorDaLinha | null; readonly aviso: Aviso | null }> {
      const [servidores, cobertos] = await Promise.all([queries.servidores([clienteId]), avisosDe([clienteId])]);
      const dele = cobertos.filter(({ contratoIds }) => contratoIds.includes(contratoId));
      return {
        servidor: paraServidor(servidores.find(({ contrato_id }) => contrato_id === contratoId)),
        aviso: dele.find(({ situacao }) => situacao === 'aberto') ?? null,
      };
    },

    /** Of all contracts of registrations, by the contract: two statements, however many they are. */
    async linhas(clienteIds: readonly number[]): Promise<ReadonlyMap<number, LinhaDoAssinante>> {
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      trail.changesAt(new Date(agora.getTime() + VALIDADE_MS));
      const servidores = await queries.servidores(clienteIds);
      const ids = servidores.map(({ contrato_id }) => contrato_id);
      const quedas = new Map(
        (await queries.quedas(ids, somarDias(hoje, -6), hoje)).map((row) => [row.contrato_id, row.quedas]),
      );
      return new Map(
        [...groupBy(servidores, ({ contrato_id }) => contrato_id)].map(([id, [row]]) => [
          id,
          { servidor: paraServidor(row), quedas7Dias: quedas.get(id) ?? 0 },
        ]),
      );
    },
  };
}

const paraServidor = (row: { nas: string | null; nome: string | null } | undefined): ServidorDaLinha | null =>
  row === undefined || row.nas === null ? null : { nome: row.nome };
