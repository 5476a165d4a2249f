/** The event of aggregated connections. It says nothing but its tags, in thousands of rows a day of the biggest size: it is deleted when published. */
export const CONEXOES_AGREGADAS = 'conexoes.agregadas';
