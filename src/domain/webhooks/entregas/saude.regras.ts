import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { AlvoRow, Feita } from './entregas.queries.ts';

/** Attempts to one webhook that are under way at a time; after so many failures in a row one, until it succeeds. */
const AO_MESMO_TEMPO = 10;
const FALHAS_EM_SERIE = 10;

export const simultaneas = (falhasSeguidas: number): number => (falhasSeguidas >= FALHAS_EM_SERIE ? 1 : AO_MESMO_TEMPO);

const DIA_MS = 86_400_000;
/** After how long without success administrators hear of it, and after how long, and so many failed deliveries, it is disabled. */
export const AVISA_DEPOIS_MS = DIA_MS;
export const DESATIVA_DEPOIS_MS = 5 * DIA_MS;
export const DESATIVA_COM_FALHAS = 10;

/** The health of a webhook after some attempts, in the order in which they ended. */
export function saudeDepois(
  { falhas_seguidas, falhando_desde, avisado_em }: Pick<AlvoRow, 'falhas_seguidas' | 'falhando_desde' | 'avisado_em'>,
  feitas: readonly Pick<Feita, 'resultado'>[],
) {
  let saude = { falhas_seguidas, falhando_desde, avisado_em };
  let ultimo_sucesso_em: string | undefined;
  for (const { resultado } of feitas) {
    const em = toDatabaseTime(resultado.em);
    if (resultado.erro === null) {
      saude = { falhas_seguidas: 0, falhando_desde: null, avisado_em: null };
      ultimo_sucesso_em = em;
    } else {
      const { falhas_seguidas: antes, falhando_desde: desde } = saude;
      saude = { ...saude, falhas_seguidas: antes + 1, falhando_desde: desde ?? em };
    }
  }
  return { ...saude, ...(ultimo_sucesso_em === undefined ? {} : { ultimo_sucesso_em }) };
}
