import { colorsOn } from '../../../kit/html/color.ts';

/** Of a provider that has said none. */
export const COR_PADRAO = '#0b4f5c';

/** The style sheet of a provider's colour, which pages name by the colour. */
export const estiloDaCor = (cor: string): string => `:root{--malha-cor:${cor};--malha-sobre:${colorsOn(cor).text}}`;
