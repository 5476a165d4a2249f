import type { ErrorObject } from 'ajv';
import { createInput } from '../../kit/input/input.ts';
import { erros } from './erros.ts';

const ENVIE = 'corpo: envie JSON em UTF-8, sem compressão, de até 1 MiB.';

/** What PSPs may send, and how they are told of what is none. */
export const entrada = createInput({
  formats: {},
  invalid: erros.faults.invalid,
  body: {
    limit: '1mb',
    // Some PSPs post the list alone.
    listAs: 'pix',
    messages: { type: ENVIE, encoding: ENVIE, size: ENVIE, json: 'corpo: deve ser JSON em UTF-8.' },
  },
  describe: (erro) => ({ field: null, message: foraDoFormato(erro) }),
});

/** The field that is to blame, `pix/0/valor`, or the whole body where none is. */
function foraDoFormato({ instancePath, params }: ErrorObject, ...onde: readonly string[]): string {
  const partes = [...onde, instancePath.slice(1), params['missingProperty'] as string | undefined];
  const campo = partes.filter((parte) => parte !== undefined && parte !== '').join('/');
  return `${campo === '' ? 'corpo' : campo}: fora do formato da API Pix.`;
}
