import { diasEntre, hojeEm, inicioDoDiaEm, somarDias } from './datas.ts';
import type { Data } from './datas.ts';

const DIA_MS = 86_400_000;

/**
 * A function that gives the local date of an instant (ms since 1970) as `hojeEm` does, and null before `de`. The days
 * from `de` to `ate` are computed before, so that finding one takes some comparisons instead of a formatting.
 *
 * @throws {RangeError} when there is no such zone.
 */
export function criarDiasLocais(fuso: string, de: Data, ate: Data): (instante: number) => Data | null {
  const dias = Array.from({ length: diasEntre(de, ate) + 1 }, (_, n) => somarDias(de, n));
  const inicios = [...dias, somarDias(ate, 1)].map((dia) => inicioDoDiaEm(fuso, dia).getTime());
  const [primeiro = Infinity] = inicios;
  const fim = inicios.at(-1) ?? -Infinity;
  return (instante) => {
    if (instante < primeiro) return null;
    if (instante >= fim) return hojeEm(fuso, new Date(instante));
    // Summer time moves the beginning of a day by some hours from a multiple of 24 h, either way.
    let n = Math.floor((instante - primeiro) / DIA_MS);
    while (instante < (inicios[n] ?? Infinity)) n -= 1;
    while (instante >= (inicios[n + 1] ?? Infinity)) n += 1;
    return dias[n] ?? null;
  };
}
