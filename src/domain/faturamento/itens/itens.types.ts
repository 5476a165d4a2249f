import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import type { TipoDeItem } from '../faturamento.types.ts';

/** An item of a contract, as it is stored. */
export interface ItemRow {
  id: number;
  contrato_id: number;
  tipo: TipoDeItem;
  descricao: string;
  valor: string;
  de: Data;
  ate: Data | null;
}

export const COLUNAS_DO_ITEM = columns<ItemRow>('contratos_itens', {
  id: true,
  contrato_id: true,
  tipo: true,
  descricao: true,
  valor: true,
  de: true,
  ate: true,
});
