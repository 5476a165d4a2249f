import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { FATURAS_TAG } from '../../tags.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';
import { contarCandidatos, proximosCandidatos } from './contratos.queries.ts';
import type { Alcance, CandidatoRow } from './contratos.queries.ts';
import { gravarLote } from './lote.service.ts';

/** Makes the charges that are due so many days after a day, where the provider has them made by themselves. */
export function createFaturamentoDoDia({
  relogio,
}: {
  readonly relogio: Relogio;
}): Trabalho<CandidatoRow, CandidatoRow> {
  async function alcanceDe(tenant: TenantDb, dia: Data): Promise<Alcance | null> {
    const { desde, antecedencia, faturaUnica } = await lerRegras(tenant);
    return desde === null ? null : { desde, ate: somarDias(dia, antecedencia), faturaUnica };
  }

  return {
    evento: 'faturas.geradas',
    etiquetas: [FATURAS_TAG],
    lugar: ({ id, cliente_id }) => ({ id, cliente_id }),
    // Those that have their charge are no longer among them.
    retoma: false,
    esfria: true,
    async contar(tenant, dia) {
      const alcance = await alcanceDe(tenant, dia);
      return alcance === null ? 0 : contarCandidatos(tenant, alcance);
    },
    async proximas(tenant, dia, depoisDe, limite) {
      const alcance = await alcanceDe(tenant, dia);
      return alcance === null ? [] : proximosCandidatos(tenant, alcance, depoisDe, limite);
    },
    preparar: async (_tenant, provedor, dia, contratos) => async (w) => {
      // In the transaction, so that a change of the settings counts for all of it or for nothing.
      const regras = await lerRegras(w.tenant);
      if (regras.desde === null) return 0;
      const ate = somarDias(dia, regras.antecedencia);
      const ids = contratos.map(({ id }) => id);
      const agora = relogio.agora();
      // A day may be made up for after it is over, or end after midnight.
      const hoje = hojeEm(provedor.fusoHorario, agora);
      return gravarLote(w, ids, { provedor, regras, dia, hoje, ate, origem: 'diario', agora });
    },
  };
}
