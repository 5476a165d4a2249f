import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverHorario, lerHorario } from '../../../brazil/calendario/horario.ts';

/** Nobody is told anything at night, by the provider's clocks, but what cannot wait. */
const NOITE = { de: '21:00', ate: '08:00' } as const;

/** When somebody is told, and on which local day that is. */
export interface Hora {
  readonly em: Date;
  readonly dia: Data;
}

export const agoraEm = (fuso: string, agora: Date): Hora => ({ em: agora, dia: hojeEm(fuso, agora) });

/** The same out of the quiet hours: their end, where it is night now. */
export function foraDaNoite(fuso: string, agora: Date): Hora {
  const { dia } = agoraEm(fuso, agora);
  const hora = escreverHorario(fuso, agora).slice(11);
  if (hora >= NOITE.ate && hora < NOITE.de) return { em: agora, dia };
  const manha = hora < NOITE.ate ? dia : somarDias(dia, 1);
  return { em: lerHorario(fuso, `${manha}T${NOITE.ate}`) ?? agora, dia: manha };
}
