import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos } from '../../campos/campos.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerRegras } from '../configuracao/configuracao.queries.ts';
import { mes } from '../calculo/meses.leitores.ts';
import { somarMeses, ultimoDia } from '../calculo/meses.regras.ts';
import { POR_VEZ, proximosCandidatos } from './contratos.queries.ts';
import type { CandidatoRow } from './contratos.queries.ts';
import { gravarLote } from './lote.service.ts';

export const CAMPOS_DO_PEDIDO = { mes: exigido(mes) } as const;

/**
 * The months of due days whose charges may be made before their time: this one and the next.
 *
 * @throws CamposInvalidos of another
 */
export function exigirMes(pedido: Data, hoje: Data): void {
  if (pedido < somarMeses(hoje, 0) || pedido > somarMeses(hoje, 1)) faltaEm('mes', 'só deste mês e do próximo');
}

/** The months whose charges a person's order makes, in their turn: what is due this month comes first. */
export const mesesDoPedido = (pedido: string, hoje: Data): string[] =>
  [...new Set([hoje.slice(0, 7), pedido.slice(0, 7)])].filter((um) => um <= pedido);

/** Makes a part of a month's charges; see `gerar`. */
type Parte = (
  dados: { readonly mes: string },
  depoisDe: CandidatoRow | null,
) => Promise<{ readonly vistos: number; readonly faturas: number; readonly proxima: CandidatoRow | null }>;

/**
 * Makes all charges that are due up to the end of a month, part by part, each in its own write. What is due this month comes first, so that
 * no contract's next month is made before it. Once the signal is aborted it makes no part more: what was made stays, and who asks again has
 * the rest made.
 *
 * @param aoAvancar hears after each part how many contracts were gone through, and how many invoices made
 * @returns how many invoices were made, and whether that is all
 */
export async function gerarMes(
  parte: Parte,
  pedido: string,
  hoje: Data,
  {
    signal,
    aoAvancar,
  }: { readonly signal?: AbortSignal; readonly aoAvancar?: (vistos: number, faturas: number) => void } = {},
): Promise<{ readonly faturas: number; readonly inteiro: boolean }> {
  let [vistos, feitas] = [0, 0];
  for (const um of mesesDoPedido(pedido, hoje)) {
    let depoisDe: CandidatoRow | null = null;
    do {
      if (signal?.aborted === true) return { faturas: feitas, inteiro: false };
      const feito: Awaited<ReturnType<Parte>> = await parte({ mes: um }, depoisDe);
      vistos += feito.vistos;
      feitas += feito.faturas;
      depoisDe = feito.proxima;
      aoAvancar?.(vistos, feitas);
    } while (depoisDe !== null);
  }
  return { faturas: feitas, inteiro: true };
}

/** Charges that staff have made before the day on which they would be. */
export function createPedidoDeFaturamento({
  w,
  provedor,
  relogio,
}: {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /**
     * Makes the next charges that are due up to the end of a month (`mes`), in parts.
     *
     * @param depoisDe the place after which this part begins; null at first
     * @param limite contracts of this part; of one client who has more, and has one invoice of them, all
     * @returns how many contracts were gone through and invoices made, and where the next part begins; null where there is none
     * @throws CamposInvalidos; Recusa `faturamento_sem_configuracao`
     */
    async gerar(
      dados: unknown,
      depoisDe: CandidatoRow | null = null,
      limite = POR_VEZ,
    ): Promise<{ readonly vistos: number; readonly faturas: number; readonly proxima: CandidatoRow | null }> {
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const { mes: pedido } = lerCampos(CAMPOS_DO_PEDIDO, dados);
      exigirMes(pedido, hoje);
      const regras = await lerRegras(w.tenant);
      const { desde } = regras;
      recusarSeNao(desde, 'faturamento_sem_configuracao');
      const ate = ultimoDia(pedido);
      const candidatos = await proximosCandidatos(w.tenant, { ...regras, desde, ate }, depoisDe, limite);
      const ids = candidatos.map(({ id }) => id);
      const faturas = await gravarLote(w, ids, { provedor, regras, dia: hoje, hoje, ate, origem: 'pedido', agora });
      if (faturas > 0) w.emit('faturamento.pedido', null, { mes: pedido, faturas });
      return { vistos: candidatos.length, faturas, proxima: candidatos.at(-1) ?? null };
    },
  };
}
