import { fromJsonSchema } from '@modelcontextprotocol/server';
import type {
  JsonSchemaValidator,
  StandardSchemaWithJSON,
  ToolAnnotations,
  jsonSchemaValidator,
} from '@modelcontextprotocol/server';
import type { KeySurface } from '../../access/ports.ts';
import type { JsonRoute, Route } from '../../kit/http/route.ts';
import type { Envelope, Json } from '../../kit/reply/envelope.ts';
import type { Schema } from '../../platform/schema-type.ts';
import { FERRAMENTAS } from './ferramentas.ts';
import type { Ferramenta } from './ferramentas.ts';

/** The argument of every tool that writes, in place of HTTP's Idempotency-Key. */
export const MARCA = 'idempotency_key';

const marcaSchema: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[!-~]+$',
  description:
    'Identifica o pedido por 24 h: repetido com a mesma chave e os mesmos argumentos, não se faz de novo e recebe a mesma resposta. Ao repetir uma chamada de que não se teve resposta, repita também a chave.',
};

/** A route of JSON as a tool of the protocol. */
export interface DeRota<T extends KeySurface> {
  readonly nome: string;
  readonly rota: JsonRoute<T>;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: StandardSchemaWithJSON;
  readonly outputSchema: StandardSchemaWithJSON;
  readonly annotations: ToolAnnotations;
}

/** The route judges its arguments, and its presenter makes the answer: the SDK checks neither a second time. */
export const semConferir: jsonSchemaValidator = {
  getValidator:
    <Value>(): JsonSchemaValidator<Value> =>
    (value) => ({ valid: true, data: value as Value, errorMessage: undefined }),
};

/**
 * The tools of a route table, in its order. A route that `FERRAMENTAS` does not have is no tool.
 *
 * @throws Error when two parts of a route's input, or two tools, have the same name.
 */
export function ferramentasDe<T extends KeySurface>(
  rotas: readonly Route<T>[],
  envelope: Pick<Envelope, 'successSchema'>,
): ReadonlyMap<string, DeRota<T>> {
  const ferramentas = new Map<string, DeRota<T>>();
  for (const rota of rotas) {
    const dita = FERRAMENTAS[`${rota.method} ${rota.path}`];
    if (dita === undefined || 'fora' in dita || rota.kind === 'file') continue;
    if (ferramentas.has(dita.nome)) throw new Error(`${rota.path}: there is another tool ${dita.nome}`);
    ferramentas.set(dita.nome, {
      nome: dita.nome,
      rota,
      title: rota.summary,
      description: [rota.summary, rota.description].filter(Boolean).join('. '),
      inputSchema: fromJsonSchema(entradaDe(rota), semConferir),
      outputSchema: fromJsonSchema(aberto(envelope.successSchema(rota.data, rota.paged, paraFora)), semConferir),
      annotations: anotacoesDe(rota, dita),
    });
  }
  return ferramentas;
}

/** Of what `id` is the id, by the first part of a path: HTTP shows the path, and an agent would take the client's for the contract's. */
const DO_ID: Readonly<Record<string, string>> = {
  clientes: 'O id do cliente.',
  contratos: 'O id do contrato, e não o do cliente.',
  faturas: 'O id da fatura.',
  chamados: 'O id do chamado.',
};

/** The parameters of path and query and the fields of the body, in one object. */
function entradaDe<T extends KeySurface>(rota: JsonRoute<T>): Json {
  const corpo = rota.kind === 'write' ? rota.body : null;
  const { id, ...outros } = rota.params;
  const description = DO_ID[rota.path.split('/')[1] ?? ''];
  if (id !== undefined && description === undefined) throw new Error(`${rota.path}: it is not said whose the id is`);
  const partes = [
    id === undefined ? {} : { id: { ...id, description } as Schema },
    outros,
    rota.query?.properties ?? {},
    corpo?.schema.properties ?? {},
    rota.kind === 'write' && rota.repeatable ? { [MARCA]: marcaSchema } : {},
  ].flatMap((parte) => Object.entries(parte));
  const nomes = partes.map(([nome]) => nome);
  const dobrado = nomes.find((nome, n) => nomes.indexOf(nome) !== n);
  if (dobrado !== undefined) throw new Error(`${rota.path}: two parts of its input are named ${dobrado}`);
  return {
    type: 'object',
    additionalProperties: false,
    required: [...Object.keys(rota.params), ...(rota.query?.required ?? []), ...(corpo?.schema.required ?? [])],
    properties: Object.fromEntries(partes.map(([nome, schema]) => [nome, paraFora(schema)])),
  };
}

/** Without saying that nothing else may come: clients hold answers against what they were told before a field was added. */
function aberto(esquema: Json): Json {
  return JSON.parse(
    JSON.stringify(esquema, (nome, valor: unknown) => (nome === 'additionalProperties' ? undefined : valor)),
  ) as Json;
}

function anotacoesDe<T extends KeySurface>(
  { kind, summary }: JsonRoute<T>,
  { altera = false, repetivel = true }: Ferramenta,
): ToolAnnotations {
  return {
    title: summary,
    readOnlyHint: kind === 'read',
    destructiveHint: altera,
    idempotentHint: repetivel,
    openWorldHint: false,
  };
}

/** Formats that JSON Schema itself has. Of others, clients that check strictly refuse the whole schema. */
const FORMATOS = ['date', 'date-time'];

/** A schema as clients are told it: some of them refuse a tool with a format or with several types in one place. */
function paraFora(schema: Schema): Json {
  const { description, examples, mask: _mask, person: _person, ...resto } = schema;
  const dito = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  const { type } = resto;
  if (Array.isArray(type)) return { ...dito, anyOf: type.map((um: Tipo) => paraFora(soDoTipo(um, resto))) };
  const { format, items, anyOf, properties, ...folha } = resto;
  return {
    ...dito,
    ...folha,
    ...(format !== undefined && FORMATOS.includes(format) ? { format } : {}),
    ...(items === undefined ? {} : { items: paraFora(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(paraFora) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([nome, um]) => [nome, paraFora(um)])) }),
  };
}

type Tipo = Extract<Schema['type'], string>;

/** What a schema with several types says of the values of one of them. */
function soDoTipo(type: Tipo, { enum: valores, ...resto }: Schema): Schema {
  if (type === 'null') return { type };
  return { ...resto, type, ...(valores === undefined ? {} : { enum: valores.filter((valor) => valor !== null) }) };
}
