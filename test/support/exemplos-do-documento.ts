import { Ajv2020 } from 'ajv/dist/2020.js';

type Json = Record<string, any>;

const FORMATOS = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  dinheiro: true,
  cpf_cnpj: true,
  telefone: true,
  password: true,
} as const;

/** Every object of a document, by its JSON Pointer (RFC 6901). */
export function* nosDe(valor: unknown, ponteiro = ''): Generator<[ponteiro: string, no: Json]> {
  if (typeof valor !== 'object' || valor === null) return;
  if (!Array.isArray(valor)) yield [ponteiro, valor];
  for (const [nome, dentro] of Object.entries(valor)) {
    yield* nosDe(dentro, `${ponteiro}/${nome.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** How many examples an OpenAPI document has, and which of them are not what its schemas say. */
export function conferirExemplos(documento: object): { readonly conferidos: number; readonly errados: string[] } {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, formats: FORMATOS });
  ajv.addSchema(documento, 'openapi');
  let conferidos = 0;
  const errados: string[] = [];
  for (const [ponteiro, no] of nosDe(documento)) {
    const esquema = no['schema'] === undefined ? ponteiro : `${ponteiro}/schema`;
    const doMeio = [
      ...(no['example'] === undefined ? [] : [no['example']]),
      ...(no['schema'] === undefined ? [] : Object.values((no['examples'] ?? {}) as Json).map((e: Json) => e['value'])),
    ];
    const doEsquema = Array.isArray(no['examples']) ? no['examples'] : [];
    for (const exemplo of [...doMeio, ...doEsquema, ...('default' in no && 'type' in no ? [no['default']] : [])]) {
      const validar = ajv.compile({ $ref: `openapi#${esquema.split('/').map(encodeURIComponent).join('/')}` });
      if (!validar(exemplo)) errados.push(`${ponteiro}: ${ajv.errorsText(validar.errors)}`);
      conferidos += 1;
    }
  }
  return { conferidos, errados };
}
