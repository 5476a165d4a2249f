import { fimDoDiaEm, hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { contratoTag, faturaTag } from '../tags.ts';
import { contratosComUltimo } from './desbloqueios.queries.ts';
import { porQueNaoEmConfianca } from './desbloqueios.regras.ts';
import type { MotivoDoDesbloqueio } from './desbloqueios.regras.ts';
import { passosNaRede } from './rede.queries.ts';
import { situacaoNaRede } from './rede.regras.ts';
import type { PassoNaRede, RedeDoDesbloqueio } from './rede.regras.ts';
import type { DoContratoRow } from './ultimo.regras.ts';

export type LeituraDeDesbloqueiosService = ReturnType<typeof createLeituraDeDesbloqueiosService>;

/** What a trust unblock would be, said before anybody asks for it, and what became of the one in force. */
export interface DesbloqueioPossivel {
  /** The rule that forbids it now; null where it may be applied. */
  readonly impede: MotivoDoDesbloqueio | null;
  readonly dias: number;
  /** The last instant of one that is applied now. */
  readonly ate: Date;
  /** The end of the one in force; null when none is. */
  readonly emVigorAte: Date | null;
  /** What the network made of the one in force; null when none is, or nobody knows any more. */
  readonly rede: RedeDoDesbloqueio | null;
  /** Who blocked the contract; null of what is not blocked. */
  readonly bloqueio: 'financeiro' | 'manual' | null;
}

interface LeituraDeDesbloqueiosDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

/** Trust unblocks, before anybody asks for one and after. */
export function createLeituraDeDesbloqueiosService({ tenant, provedor, relogio, trail }: LeituraDeDesbloqueiosDeps) {
  const { fusoHorario, regras } = provedor;
  const { desbloqueioHabilitado: habilitado, desbloqueioDias: dias } = regras;

  /** The invoice may be of who held the contract before. */
  const dependerDasCausas = (rows: readonly DoContratoRow[]): void =>
    trail.dependsOn(...rows.flatMap(({ causa_id: causa }) => (causa === null ? [] : [faturaTag(causa)])));

  function possivel(row: DoContratoRow, passos: readonly PassoNaRede[], agora: Date): DesbloqueioPossivel {
    const emVigorAte = fimEmVigor(row, agora);
    return {
      impede: porQueNaoEmConfianca({
        habilitado,
        emVigor: emVigorAte !== null,
        situacao: row.situacao,
        bloqueioOrigem: row.bloqueio_origem,
        causaAnterior: row.situacao_da_causa,
      }),
      dias,
      ate: fimDoDiaEm(fusoHorario, somarDias(hojeEm(fusoHorario, agora), dias)),
      emVigorAte,
      rede: emVigorAte === null ? null : situacaoNaRede(passos),
      bloqueio: row.situacao === 'bloqueado' ? row.bloqueio_origem : null,
    };
  }

  /** One statement where some unblock is in force, however many contracts they are; else none. */
  async function situacoesDe(rows: readonly DoContratoRow[]): Promise<ReadonlyMap<number, DesbloqueioPossivel>> {
    const agora = relogio.agora();
    dependerDasCausas(rows);
    const emVigor = rows.filter((row) => fimEmVigor(row, agora) !== null);
    const passos = await passosNaRede(
      tenant,
      emVigor.map(({ contrato_id }) => contrato_id),
    );
    const todas = new Map(
      rows.map((row) => [row.contrato_id, possivel(row, passos.get(row.contrato_id) ?? [], agora)]),
    );
    trail.changesAt(inicioDoDiaEm(fusoHorario, somarDias(hojeEm(fusoHorario, agora), 1)));
    for (const { emVigorAte, rede } of todas.values()) {
      if (emVigorAte !== null) trail.changesAt(new Date(emVigorAte.getTime() + 1));
      // What the worker hears of a NAS touches no tag: it is asked again until it is known.
      if (rede?.situacao === 'pendente') trail.changesAt(agora);
    }
    return todas;
  }

  return {
    /**
     * The rule that forbids it now, of each contract of clients; null where it may be applied. The caller has named the clients' tags, and
     * reads the contracts, which say when an unblock in force ends.
     */
    async dosClientes(clienteIds: readonly number[]): Promise<ReadonlyMap<number, MotivoDoDesbloqueio | null>> {
      const agora = relogio.agora();
      const rows = clienteIds.length === 0 ? [] : await contratosComUltimo(tenant, { clienteIds });
      dependerDasCausas(rows);
      return new Map(rows.map((row) => [row.contrato_id, possivel(row, [], agora).impede]));
    },

    /** Of all contracts of clients, whose tags the caller has named. */
    async situacoesDosClientes(clienteIds: readonly number[]): Promise<ReadonlyMap<number, DesbloqueioPossivel>> {
      return clienteIds.length === 0 ? new Map() : situacoesDe(await contratosComUltimo(tenant, { clienteIds }));
    },

    /** Of contracts whose rows were read with something else, and whose tags, or their clients', the caller has named. */
    situacoesDe,

    /** Of one contract, judged as the unblock itself judges it; null when this tenant has none of that id. */
    async avaliar(contratoId: number): Promise<DesbloqueioPossivel | null> {
      trail.dependsOn(contratoTag(contratoId));
      return (
        (await situacoesDe(await contratosComUltimo(tenant, { contratoIds: [contratoId] }))).get(contratoId) ?? null
      );
    },
  };
}

/** The last instant of the unblock that is in force; null where none is. */
function fimEmVigor({ ate, encerrado_em }: DoContratoRow, agora: Date): Date | null {
  const fim = ate === null || encerrado_em !== null ? null : fromDatabaseTime(ate);
  return fim !== null && fim >= agora ? fim : null;
}
