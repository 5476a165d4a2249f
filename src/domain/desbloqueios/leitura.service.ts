import { fimDoDiaEm, hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { ContratoTravado } from '../contratos/movimentos/travas.service.ts';
import type { MotivoDeRecusa } from '../erros.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { ultimoDesbloqueio } from './desbloqueios.queries.ts';
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
}

/** Trust unblocks, for staff; kept in no cache. */
export function createLeituraDeDesbloqueiosService({ tenant, provedor, relogio }: LeituraDeDesbloqueiosDeps) {
  return {
    /** Whether a contract may be unblocked on trust now, judged as the unblock itself judges it. */
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
