/** The event of aggregated connections: thousands of rows a day of the biggest size. */
export const CONEXOES_AGREGADAS = 'conexoes.agregadas';

/** The event of rows that were written past Malha: triggers write it, by this name. */
export const LINHAS_ALTERADAS = 'linhas.alteradas';

/** Events that say nothing but their tags are deleted when published. */
export const SO_DE_ETIQUETAS: ReadonlySet<string> = new Set([CONEXOES_AGREGADAS, LINHAS_ALTERADAS]);
