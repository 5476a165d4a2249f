import { CamposInvalidos, Recusa } from '../../domain/erros.ts';

/**
 * The two names of fields that the domain calls otherwise than they are sent.
 *
 * @param naCasa the domain's name of each field, by how it is sent
 */
export function createNomes(naCasa: Readonly<Record<string, string>>) {
  const fora = new Map(Object.entries(naCasa).map(([dito, casa]) => [casa, dito]));

  function paraFora(campo: string): string {
    const [primeiro = campo, ...resto] = campo.split('.');
    return [fora.get(primeiro) ?? primeiro, ...resto].join('.');
  }

  function erroDeFora(error: unknown): unknown {
    if (error instanceof CamposInvalidos) {
      return new CamposInvalidos(error.faltas.map((falta) => ({ ...falta, campo: paraFora(falta.campo) })));
    }
    const campo = error instanceof Recusa ? error.detalhe.campo : undefined;
    if (!(error instanceof Recusa) || campo === undefined) return error;
    return new Recusa(error.motivo, { ...error.detalhe, campo: paraFora(campo) });
  }

  return {
    /** A body with the domain's names. */
    paraACasa: (corpo: object | undefined): Record<string, unknown> =>
      Object.fromEntries(Object.entries(corpo ?? {}).map(([nome, valor]) => [naCasa[nome] ?? nome, valor])),

    /** What the domain says of a field is said of the field that was sent. */
    comCamposDeFora: async <T>(fazer: () => Promise<T>): Promise<T> => {
      try {
        return await fazer();
      } catch (error) {
        throw erroDeFora(error);
      }
    },

    /** The same of what reads and writes nothing. */
    lerDeFora: <T>(ler: () => T): T => {
      try {
        return ler();
      } catch (error) {
        throw erroDeFora(error);
      }
    },
  };
}
