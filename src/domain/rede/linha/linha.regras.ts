import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { QuedasDoDia, SessaoDaLinha, TrafegoDoDia } from './linha.types.ts';

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

/**
 * Bytes by the local day. A NAS tells a session's in all, so those of one that went over midnight are spread evenly over its time: by how
 * much of it was on each day. Null where no session told any.
 */
export function trafegoPorDia(
  sessoes: readonly SessaoDaLinha[],
  dias: readonly Data[],
  fuso: string,
  agora: Date,
): TrafegoDoDia[] | null {
  const contadas = sessoes.filter(({ download, upload }) => (download ?? 0) + (upload ?? 0) > 0);
  if (contadas.length === 0) return null;
  return dias.map((dia) => {
    const de = inicioDoDiaEm(fuso, dia).getTime();
    const ate = inicioDoDiaEm(fuso, somarDias(dia, 1)).getTime();
    const doDia = { download: 0, upload: 0, estimado: false };
    for (const { inicio, fim, download, upload } of contadas) {
      const acaba = (fim ?? agora).getTime();
      const comeca = Math.min(inicio?.getTime() ?? acaba, acaba);
      // One that ended as it began is all of the day on which it did.
      const parte =
        acaba === comeca
          ? Number(comeca >= de && comeca < ate)
          : Math.max(0, Math.min(acaba, ate) - Math.max(comeca, de)) / (acaba - comeca);
      doDia.download += (download ?? 0) * parte;
      doDia.upload += (upload ?? 0) * parte;
      if (parte > 0 && parte < 1) doDia.estimado = true;
    }
    return { dia, ...doDia, download: Math.round(doDia.download), upload: Math.round(doDia.upload) };
  });
}
