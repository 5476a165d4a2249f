import type { Data } from '../../../brazil/calendario/datas.ts';
import { bem, mal } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { data } from '../../campos/leitores.ts';

const PRIMEIRA = '1900-01-01';
const ULTIMA = '2100-12-31';

/** A date as a file has it. Systems write 9999-12-31 where there is none, whose end no clock of ours knows. */
export const dataImportada: Leitor<Data> = (valor) => {
  const lida = data(valor);
  if ('faltas' in lida) return lida;
  return lida.valor < PRIMEIRA || lida.valor > ULTIMA ? mal('deve ser de 1900 a 2100') : bem(lida.valor);
};
