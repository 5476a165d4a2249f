import type { Aviso } from './avisos.types.ts';

/** Works run late: so long after its forecast a notice still explains what happens in the network. */
const ATRASO_MS = 3_600_000;

/** Notices whose forecast is older than this explain nothing any more, though nobody has closed them. */
export const previsaoVencidaAntesDe = (agora: Date): Date => new Date(agora.getTime() - ATRASO_MS);

/** Whether a notice in force says why lines are down, so that nobody need be told again: news does not, nor what should be over by now. */
export const explicaQuedas = ({ tipo, previsao }: Pick<Aviso, 'tipo' | 'previsao'>, agora: Date): boolean =>
  tipo !== 'informativo' && (previsao === null || previsao > previsaoVencidaAntesDe(agora));
