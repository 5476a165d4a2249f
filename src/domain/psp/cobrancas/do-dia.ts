import type { Relogio } from '../../../platform/timing/relogio.ts';
import { FATURAS_TAG } from '../../tags.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { temConvenio } from '../convenios/convenios.queries.ts';
import { createCobrancasLeitura } from './cobrancas.queries.ts';
import { conciliarCobrancas } from './cobrancas.service.ts';
import type { FaturaAberta, LugarDaFatura } from './cobrancas.queries.ts';

/** Looks at all open invoices once a day: what the minutes in between missed, what was refused, and what is of another day by now. */
export function createCobrancasDoDia({
  relogio,
}: {
  readonly relogio: Relogio;
}): Trabalho<FaturaAberta, LugarDaFatura> {
  return {
    evento: 'cobrancas_pix.pedidas',
    etiquetas: [FATURAS_TAG],
    lugar: ({ emitida_em: emitida, id }) => [emitida, id],
    retoma: true,
    contar: async (tenant, _dia, depoisDe) =>
      (await temConvenio(tenant)) ? createCobrancasLeitura(tenant).contarAbertas(depoisDe) : 0,
    proximas: async (tenant, _dia, depoisDe, limite) =>
      (await temConvenio(tenant)) ? createCobrancasLeitura(tenant).proximasAbertas(depoisDe, limite) : [],
    preparar: async (_tenant, provedor, _dia, faturas) => async (w) =>
      conciliarCobrancas(
        w,
        provedor,
        faturas.map(({ id }) => id),
        relogio.agora(),
        true,
      ),
  };
}
