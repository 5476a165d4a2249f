import { diasEntre, hojeEm, inicioDoDiaEm, somarDias } from './datas.ts';
import type { Data } from './datas.ts';

const DIA_MS = 86_400_000;

/**
 * A função que dá a data local de um instante (ms desde 1970) como `hojeEm`, e null antes de `de`. Os dias de `de` a `ate` são
 * calculados antes, e achar um deles custa algumas comparações em vez de uma formatação.
 *
 * @throws {RangeError} se o fuso não existir.
 */
export function criarDiasLocais(fuso: string, de: Data, ate: Data): (instante: number) => Data | null {
  const dias = Array.from({ length: diasEntre(de, ate) + 1 }, (_, n) => somarDias(de, n));
  const inicios = [...dias, somarDias(ate, 1)].map((dia) => inicioDoDiaEm(fuso, dia).getTime());
  const [primeiro = Infinity] = inicios;
  const fim = inicios.at(-1) ?? -Infinity;
  return (instante) => {
    if (instante < primeiro) return null;
    if (instante >= fim) return hojeEm(fuso, new Date(instante));
    // O horário de verão põe o início de um dia até algumas horas para lá ou para cá de um múltiplo de 24 h.
    let n = Math.floor((instante - primeiro) / DIA_MS);
    while (instante < (inicios[n] ?? Infinity)) n -= 1;
    while (instante >= (inicios[n + 1] ?? Infinity)) n += 1;
    return dias[n] ?? null;
  };
}
