import { CamposInvalidos } from '../../domain/erros.ts';
import { FORMATS } from '../../kit/fields/formats.ts';
import { createInput } from '../../kit/input/input.ts';
import type { Fault } from '../../kit/reply/failure.ts';
import { erros, faltasDitas } from './erros.ts';
import type { CodigoErro } from './erros.ts';

/** What may be sent to `/v1`: whatever is wrong with a request is named at once. */
export const entrada = createInput<CodigoErro>({
  formats: FORMATS,
  invalid: erros.faults.invalid,
  all: true,
  body: {
    limit: '64kb',
    messages: {
      type: 'corpo: envie JSON, com Content-Type application/json.',
      encoding: 'corpo: envie JSON em UTF-8, sem compressão.',
      size: 'corpo: deve ser JSON em UTF-8 de até 64 KiB.',
      json: 'corpo: deve ser JSON em UTF-8 de até 64 KiB.',
    },
  },
});

/** What the domain would say of a body, before anything is written. */
export function faltasDe(ler: () => unknown): readonly Fault<CodigoErro>[] {
  try {
    ler();
    return [];
  } catch (error) {
    if (!(error instanceof CamposInvalidos)) throw error;
    return faltasDitas(error.faltas);
  }
}
