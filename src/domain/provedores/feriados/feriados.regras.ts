import { lerData } from '../../../brazil/calendario/datas.ts';
import { limparDigitado, temCaractereProibido } from '../../../brazil/pessoa/digitado.ts';
import { feriadosDoEstado, feriadosNacionais, ultimoDiaUtilDoAno } from '../../../brazil/calendario/feriados.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { DiaSemBanco, FeriadoProprio } from './feriados.types.ts';

const MAIOR_NOME = 120;

/** Any leap year: 29 February may be a day of every year. */
const ANO_BISSEXTO = '2024';

/**
 * A day as people and programs write it: `19/03/2027` or `2027-03-19` of one year, `19/03` or `03-19` of every year.
 *
 * @returns it as it is kept.
 * @throws EntradaInvalida when there is no such day.
 */
export function lerDia(digitado: string): string {
  const limpo = limparDigitado(digitado);
  const [, dia = '', mes = '', ano = ''] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(limpo) ?? [];
  const iso = dia === '' ? limpo : [...(ano === '' ? [] : [ano]), mes.padStart(2, '0'), dia.padStart(2, '0')].join('-');
  if (lerData(iso) === null && lerData(`${ANO_BISSEXTO}-${iso}`) === null) {
    throw new EntradaInvalida('dia: um dia de um ano, como 19/03/2027, ou de todos os anos, como 19/03');
  }
  return iso;
}

/** @throws EntradaInvalida when there is no name, or it is too long. */
export function lerNome(digitado: string): string {
  const limpo = limparDigitado(digitado);
  if (limpo === '' || Array.from(limpo).length > MAIOR_NOME || temCaractereProibido(limpo)) {
    throw new EntradaInvalida(`nome: de 1 a ${MAIOR_NOME} caracteres`);
  }
  return limpo;
}

/** All holidays of a year and its last business day, in their order. Weekends as such are not among them. */
export function diasSemBanco(ano: number, uf: string | null, proprios: readonly FeriadoProprio[]): DiaSemBanco[] {
  const doAno = proprios.map((proprio) => ({ ...proprio, dia: noAno(proprio.dia, ano) }));
  const abertos = new Set(doAno.filter(({ diaUtil }) => diaUtil).map(({ dia }) => dia));
  const dias = new Map<string, DiaSemBanco>();
  // Who says it first keeps it.
  const juntar = (origem: DiaSemBanco['origem'], dia: string, nome: string): void => {
    if (!dias.has(dia)) dias.set(dia, { dia, nome, origem });
  };
  for (const [dia, nome] of feriadosNacionais(ano)) juntar('nacional', dia, nome);
  juntar('nacional', ultimoDiaUtilDoAno(ano), 'Último dia útil do ano, sem atendimento');
  for (const { dia, nome, diaUtil } of doAno) {
    if (!diaUtil && lerData(dia) !== null && dia.startsWith(`${ano}-`)) juntar('provedor', dia, nome);
  }
  for (const [dia, nome] of uf === null ? [] : feriadosDoEstado(uf, ano)) {
    if (!abertos.has(dia)) juntar('estado', dia, nome);
  }
  return [...dias.values()].toSorted((a, b) => (a.dia < b.dia ? -1 : 1));
}

/** Whether a state's list has a day, of one year or of every year, as a holiday; of the second, the year says which. */
export function eFeriadoDoEstado(uf: string | null, dia: string, ano: number): boolean {
  const data = noAno(dia, ano);
  return uf !== null && feriadosDoEstado(uf, Number(data.slice(0, 4))).has(data);
}

/** A day as it is kept, of one year or of every year, in a year. */
function noAno(dia: string, ano: number): string {
  return dia.length === 'MM-DD'.length ? `${ano}-${dia}` : dia;
}
