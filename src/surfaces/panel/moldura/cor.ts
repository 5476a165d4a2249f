import { colorsOn } from '../../../kit/html/color.ts';

/** The style sheet of a provider's colour, which pages name by the colour. */
export const estiloDaCor = (cor: string): string => `:root{--malha-cor:${cor};--malha-sobre:${colorsOn(cor).text}}`;
