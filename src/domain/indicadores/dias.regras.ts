import { diasEntre, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';

/** Seconds from the year 0 to 1970, as TO_SECONDS counts them. */
const ATE_1970 = 62_167_219_200;

/** Days of a provider that follow one another, with the instants at which they begin. */
export interface Dias {
  readonly dias: readonly Data[];
  /** SQL that tells the place of a moment's day among them, from 1; without bindings. */
  lugarDe(coluna: string): string;
  /** What of them begins and ends where, of some of the days: those side by side are one stretch. */
  faixas(quais: readonly Data[]): (readonly [de: string, antesDe: string])[];
}

/** The days from `primeiro` to `ultimo`, both included. The database has no zones: it is told when each day begins. */
export function diasDe(fuso: string, primeiro: Data, ultimo: Data): Dias {
  const dias = Array.from({ length: diasEntre(primeiro, ultimo) + 1 }, (_, n) => somarDias(primeiro, n));
  const inicios = [...dias, somarDias(ultimo, 1)].map((dia) => inicioDoDiaEm(fuso, dia));
  const segundos = inicios.slice(0, -1).map((inicio) => Math.floor(inicio.getTime() / 1000) + ATE_1970);
  return {
    dias,
    lugarDe: (coluna) => `INTERVAL(TO_SECONDS(${coluna}), ${segundos.join(', ')})`,
    faixas(quais) {
      const faixas: [string, string][] = [];
      for (const [n, dia] of dias.entries()) {
        const [de, antesDe] = [inicios[n], inicios[n + 1]];
        if (de === undefined || antesDe === undefined || !quais.includes(dia)) continue;
        const ultima = faixas.at(-1);
        if (ultima?.[1] === toDatabaseTime(de)) ultima[1] = toDatabaseTime(antesDe);
        else faixas.push([toDatabaseTime(de), toDatabaseTime(antesDe)]);
      }
      return faixas;
    },
  };
}
