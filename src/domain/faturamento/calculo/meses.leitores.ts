import { lerData } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { bem, mal } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';

/** A month, `2026-11`, as its first day. */
export const mes: Leitor<Data> = (valor) => {
  const dia = typeof valor === 'string' && /^\d{4}-\d{2}$/.test(valor.trim()) ? lerData(`${valor.trim()}-01`) : null;
  return dia === null ? mal('deve ser um mês, como 2026-11') : bem(dia);
};
