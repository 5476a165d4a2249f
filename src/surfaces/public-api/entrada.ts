import { FORMATS } from '../../kit/fields/formats.ts';
import { createInput } from '../../kit/input/input.ts';
import { erros } from './erros.ts';
import type { CodigoErro } from './erros.ts';

/** What may be sent to the public API, and how a caller is told of what is not as a route declares it. */
export const entrada = createInput<CodigoErro>({
  formats: FORMATS,
  invalid: erros.faults.invalid,
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
