import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { QuedasDoDia, SessaoDaLinha } from './linha.types.ts';

/** How often sessions dropped by each cause, by the local day, the most frequent first. */
export function causasPorDia(sessoes: readonly SessaoDaLinha[], fuso: string): Map<string, QuedasDoDia['causas']> {
  const dias = new Map<string, Map<string, number>>();
  for (const { queda, fim, causa } of sessoes) {
    if (!queda || fim === null) continue;
    const dia = hojeEm(fuso, fim);
    const causas = dias.get(dia) ?? new Map<string, number>();
    const nome = causa ?? 'desconhecida';
    causas.set(nome, (causas.get(nome) ?? 0) + 1);
    dias.set(dia, causas);
  }
  return new Map(
    [...dias].map(([dia, causas]) => [
      dia,
      [...causas].map(([causa, vezes]) => ({ causa, vezes })).toSorted((a, b) => b.vezes - a.vezes),
    ]),
  );
}
