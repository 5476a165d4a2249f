import type { Guarda } from './guarda.types.ts';

const DIA = 24;
const CHAVE = [
  { nome: 'provedor_id', tipo: 'id' },
  { nome: 'id', tipo: 'id' },
] as const;

/** What the worker was asked for and has done, or given up. */
export const GUARDAS_DE_PEDIDOS: readonly Guarda[] = [
  {
    // What was asked for of a month; the runs themselves stay.
    tabela: 'faturamento_pedidos',
    coluna: 'pedido_em',
    indice: 'faturamento_pedidos_idade',
    chave: CHAVE,
    horas: 90 * DIA,
  },
  {
    // Sent or not: the longest is tried for three days. What the ladder said stays with its step.
    tabela: 'correio_pedidos',
    coluna: 'criado_em',
    indice: 'correio_pedidos_idade',
    chave: CHAVE,
    horas: 30 * DIA,
  },
];
