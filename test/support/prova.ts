/** Whether the whole of a long proof was asked for (`npm run test:long -- name`), and not the sample that CI runs. */
export const INTEIRA = process.env['MALHA_TEST_LONG'] === '1';

/** How much of a long proof is run: of deaths, connections, histories. */
export const quanto = (amostra: number, inteira: number): number => (INTEIRA ? inteira : amostra);
