import type { Html } from '../../../kit/html/html.ts';
import { numero } from '../componentes/cartao.ts';
import { hora } from '../componentes/escrita.ts';

/** How old a number may be before it says so. */
const DESTE_INSTANTE_MS = 2000;

interface DoNumero {
  readonly valor: string;
  readonly oque: string;
  /** The list that it leads to; null where the user may not see it. */
  readonly para: string | null;
  /** By how much it is another than before, in words; null where that is not known. */
  readonly mudanca: string | null;
  readonly de: Date;
}

/** A number with its change and, where it is not of this instant, the hour that it is of. */
export function numeroDoDia(
  { valor, oque, para, mudanca, de }: DoNumero,
  { agora, fuso }: { readonly agora: Date; readonly fuso: string },
): Html {
  const antigo = agora.getTime() - de.getTime() >= DESTE_INSTANTE_MS ? `de ${hora(fuso, de)}` : null;
  const dica = [mudanca, antigo].filter((parte) => parte !== null).join(' · ');
  return numero(valor, oque, para, dica === '' ? null : dica);
}

/** A change as people say it: '+3 desde o começo do dia'. */
export function mudou(quanto: number | null, desde: string, escrever: (n: number) => string): string | null {
  if (quanto === null) return null;
  if (quanto === 0) return `igual ${desde === 'ontem' ? 'a ontem' : `ao ${desde}`}`;
  return `${escrever(Math.abs(quanto))} a ${quanto > 0 ? 'mais' : 'menos'} que ${desde === 'ontem' ? 'ontem a esta hora' : `no ${desde}`}`;
}

/** When a picture is not of this instant. */
export const contadoAs = (agora: Date, de: Date, fuso: string): string =>
  agora.getTime() - de.getTime() >= DESTE_INSTANTE_MS ? ` Contado às ${hora(fuso, de)}.` : '';
