import { fimDoDiaEm, hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { ContratoTravado } from '../contratos/movimentos/travas.service.ts';
import type { MotivoDeRecusa } from '../erros.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { faturaTag } from '../tags.ts';
import { contratosComUltimo, ultimoDesbloqueio } from './desbloqueios.queries.ts';
import { porQueNaoEmConfianca } from './desbloqueios.regras.ts';

export type LeituraDeDesbloqueiosService = ReturnType<typeof createLeituraDeDesbloqueiosService>;

/** What a trust unblock would be, said before anybody asks for it. */
export interface DesbloqueioPossivel {
  /** The rule that forbids it now; null where it may be applied. */
  readonly impede: MotivoDeRecusa | null;
  readonly dias: number;
  /** The last instant of one that is applied now. */
  readonly ate: Date;
  /** The end of the one in force; null when none is. */
  readonly emVigorAte: Date | null;
}

interface LeituraDeDesbloqueiosDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

/** Trust unblocks, before anybody asks for one. */
export function createLeituraDeDesbloqueiosService({ tenant, provedor, relogio, trail }: LeituraDeDesbloqueiosDeps) {
  return {
    /**
     * The rule that forbids it now, of each contract of clients; null where it may be applied. The caller has named the clients' tags, and
     * reads the contracts, which say when an unblock in force ends.
     */
    async dosClientes(clienteIds: readonly number[]): Promise<ReadonlyMap<number, MotivoDeRecusa | null>> {
      const ate = toDatabaseTime(relogio.agora());
      const rows = clienteIds.length === 0 ? [] : await contratosComUltimo(tenant, clienteIds);
      // The invoice may be of who held the contract before.
      trail.dependsOn(...rows.flatMap(({ causa_id: causa }) => (causa === null ? [] : [faturaTag(causa)])));
      return new Map(
        rows.map((row) => [
          row.contrato_id,
          porQueNaoEmConfianca({
            habilitado: provedor.regras.desbloqueioHabilitado,
            emVigor: row.ate !== null && row.encerrado_em === null && row.ate >= ate,
            situacao: row.situacao,
            bloqueioOrigem: row.bloqueio_origem,
            causaAnterior: row.situacao_da_causa,
          }),
        ]),
      );
    },

    /** Whether a contract may be unblocked on trust now; kept in no cache, and judged as the unblock itself judges it. */
    async avaliar(
      contrato: { readonly id: number } & Pick<ContratoTravado, 'situacao' | 'bloqueio_origem'>,
    ): Promise<DesbloqueioPossivel> {
      const agora = relogio.agora();
      const { fusoHorario, regras } = provedor;
      const { desbloqueioHabilitado: habilitado, desbloqueioDias: dias } = regras;
      const ultimo = await ultimoDesbloqueio(tenant, contrato.id);
      const fim = ultimo === undefined || ultimo.encerrado_em !== null ? null : fromDatabaseTime(ultimo.ate);
      const emVigorAte = fim !== null && fim >= agora ? fim : null;
      const impede = porQueNaoEmConfianca({
        habilitado,
        emVigor: emVigorAte !== null,
        situacao: contrato.situacao,
        bloqueioOrigem: contrato.bloqueio_origem,
        causaAnterior: ultimo?.situacao_da_causa ?? null,
      });
      return {
        impede,
        dias,
        ate: fimDoDiaEm(fusoHorario, somarDias(hojeEm(fusoHorario, agora), dias)),
        emVigorAte,
      };
    },
  };
}
