import type { Paper } from '../paper/sheet.ts';
import type { BoletosParaImprimir } from './contract.ts';

/** The PDF document, and what is drawn in it. */
export interface Printing extends Paper {
  readonly boletos: BoletosParaImprimir;
  /** `data:` URL of an image that can be drawn. */
  readonly logo: string | null;
}
