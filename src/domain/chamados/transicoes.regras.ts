import type { SituacaoChamado } from './chamados.types.ts';

/** States that may be asked for: a ticket is `aberto` only by being opened. */
export const SITUACOES_PEDIDAS = [
  'em_andamento',
  'pendente',
  'pendente_terceiro',
  'reaberto',
  'solucionado',
  'cancelado',
] as const;
export type SituacaoPedida = (typeof SITUACOES_PEDIDAS)[number];

/** Where a ticket may go from each state, besides staying: `decisions.md`, "Tickets". */
const TRANSICOES: Readonly<Record<SituacaoChamado, readonly SituacaoPedida[]>> = {
  aberto: ['em_andamento', 'pendente', 'pendente_terceiro', 'solucionado', 'cancelado'],
  pendente: ['em_andamento', 'pendente_terceiro', 'solucionado', 'cancelado'],
  pendente_terceiro: ['em_andamento', 'pendente', 'solucionado', 'cancelado'],
  em_andamento: ['pendente', 'pendente_terceiro', 'solucionado', 'cancelado'],
  reaberto: ['em_andamento', 'pendente', 'pendente_terceiro', 'solucionado', 'cancelado'],
  solucionado: ['reaberto'],
  cancelado: ['reaberto'],
};

/** Whether a ticket may be moved; to be left where it is, it always may. */
export function podeIr(de: SituacaoChamado, para: SituacaoChamado): boolean {
  const destinos: readonly SituacaoChamado[] = TRANSICOES[de];
  return de === para || destinos.includes(para);
}

/** Whether nothing is left to be done about a ticket in this state. */
export function estaFechado(situacao: SituacaoChamado): boolean {
  return situacao === 'solucionado' || situacao === 'cancelado';
}

/** Whether a change says something and changes nothing. */
export const soComentario = (campos: readonly string[]): boolean => campos.every((campo) => campo === 'comentario');
