import type { Data } from '../../brazil/calendario/datas.ts';
import { columns } from '../../platform/mysql/columns.ts';

/** A promise as it is stored. */
export interface PromessaRow {
  id: number;
  cliente_id: number;
  contrato_id: number;
  data: Data;
  registrada_em: string;
}

export const COLUNAS_DA_PROMESSA = columns<PromessaRow>('promessas_pagamento', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  data: true,
  registrada_em: true,
});

/** What a subscriber has promised of a contract: to pay by a day what it owes. */
export interface Promessa {
  readonly id: number;
  readonly contratoId: number;
  readonly data: Data;
  readonly registradaEm: Date;
}
