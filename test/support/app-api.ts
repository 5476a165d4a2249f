import type { Api, Envio, Resposta } from './api.ts';

/** A request to `/v1`, whose body may be given as it is. */
export interface EnvioAoApp extends Omit<Envio, 'corpo'> {
  readonly corpo?: unknown;
}

/** Asks `/v1` of an API. */
export const pedirAoApp =
  (api: Pick<Api, 'pedir'>) =>
  async (metodo: string, caminho: string, { corpo, headers, ...envio }: EnvioAoApp = {}): Promise<Resposta> =>
    api.pedir(metodo, `raiz:/v1${caminho}`, {
      ...envio,
      ...(corpo === undefined
        ? { headers: headers ?? {} }
        : { headers: { 'content-type': 'application/json', ...headers }, corpo: JSON.stringify(corpo) }),
    });

export type PedirAoApp = ReturnType<typeof pedirAoApp>;

/** The fields of an error answer, in order of their names. */
export const camposErrados = (resposta: Resposta): string[] =>
  errosDe(resposta)
    .map(([, field]) => String(field))
    .toSorted((a, b) => a.localeCompare(b));

/** The codes of an error answer, each with its field. */
export const errosDe = ({ corpo }: Resposta): [code: string, field: string | null][] =>
  (corpo.errors as { code: string; field: string | null }[]).map(({ code, field }) => [code, field]);
