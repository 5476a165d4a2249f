import { exigido, opcional } from '../../campos/campos.ts';
import { dinheiro, id, ouNulo, texto } from '../../campos/leitores.ts';

const motivo = texto(1, 500);

/** A discount as staff give it. */
export const CAMPOS_DO_DESCONTO = { valor: exigido(dinheiro()), motivo: exigido(motivo) } as const;

/**
 * A credit: of the surplus of another invoice of the client (`origem`; without `valor`, all of it that is owed), or given by staff, who then
 * say how much and why.
 */
export const CAMPOS_DO_CREDITO = {
  valor: opcional(dinheiro()),
  origem: opcional(ouNulo(id)),
  motivo: opcional(ouNulo(motivo)),
} as const;

export const CAMPOS_DE_QUEM_DESFAZ = { motivo: exigido(motivo) } as const;
