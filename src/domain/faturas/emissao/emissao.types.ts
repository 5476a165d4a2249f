/** Why an invoice was cancelled. Staff say any but `renegociacao`: that one an agreement says. */
export const MOTIVOS_DE_CANCELAMENTO = ['a_pedido', 'erro', 'renegociacao', 'cancelamento', 'outro'] as const;
export type MotivoDeCancelamento = (typeof MOTIVOS_DE_CANCELAMENTO)[number];
