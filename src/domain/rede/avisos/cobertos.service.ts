import { groupBy } from '../../../platform/group-by.ts';
import type { Trail } from '../../../platform/cache/trail.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { AVISOS_TAG } from '../../tags.ts';
import { paraAviso } from './avisos.types.ts';
import type { Aviso } from './avisos.types.ts';
import { createCoberturaQueries } from './cobertura.queries.ts';

export type AvisosDosContratosService = ReturnType<typeof createAvisosDosContratosService>;

export interface AvisosDosContratosDeps {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

/**
 * Notices as contracts carry them. What a notice covers changes with the contract, whose own tags the caller has named, and with the
 * provider's notices, which have one tag: so opening one makes stale what it covers, however many contracts that are.
 */
export function createAvisosDosContratosService({ tenant, relogio, trail }: AvisosDosContratosDeps) {
  const cobertura = createCoberturaQueries(tenant);

  return {
    /**
     * Notices in force that cover contracts, by the contract, those that only inform after the others, and of both the newest beginning
     * first: who answers a call says the first one. A contract that none covers has no entry, as one without a line has none. One statement,
     * and the answer's trail depends on the notices.
     */
    async queCobrem(contratoIds: readonly number[]): Promise<ReadonlyMap<number, readonly Aviso[]>> {
      trail.dependsOn(AVISOS_TAG);
      if (contratoIds.length === 0) return new Map();
      const agora = relogio.agora();
      const cobertos = (await cobertura.quaisCobrem(contratoIds)).map((row) => ({
        id: row.contrato_id,
        aviso: paraAviso(row, agora),
      }));
      // One that is planned is told of when it begins.
      for (const { aviso } of cobertos) if (aviso.situacao === 'agendado') trail.changesAt(aviso.inicio);
      const emVigor = cobertos
        .filter(({ aviso }) => aviso.situacao === 'aberto')
        .toSorted((um, outro) => soInforma(um.aviso) - soInforma(outro.aviso));
      return new Map([...groupBy(emVigor, ({ id }) => id)].map(([id, deles]) => [id, deles.map(({ aviso }) => aviso)]));
    },
  };
}

const soInforma = ({ tipo }: Aviso): number => Number(tipo === 'informativo');
