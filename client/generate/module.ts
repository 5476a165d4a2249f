import { commentOf, field, typeOf } from './types.ts';
import type { JsonSchema } from './types.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** What is read of an OpenAPI document of the service. */
export interface OpenApi {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The documents' own pages, which are for people. */
const PAGES = ['/openapi.json', '/docs'];

/** The text of a module with the types of a surface: its objects, its operations and what it sends by itself. */
export function moduleOf(document: OpenApi): string {
  const operations = Object.entries(document.paths)
    .filter(([path]) => !PAGES.includes(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
  const repeatable = operations.filter(({ operation }) => takes(operation, 'header', 'Idempotency-Key'));
  return [
    '// Generated from the OpenAPI document by `npm run client`; not edited by hand.\n',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) => `${commentOf(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
    ),
    '/** Every operation, by method and path: what it is asked with, and what it answers. */',
    `export interface Operations { ${operations.map(({ name, operation }) => operationOf(name, operation)).join('\n')} }`,
    '/** The operations that take an Idempotency-Key. */',
    `export const REPEATABLE: readonly string[] = ${JSON.stringify(repeatable.map(({ name }) => name))};`,
    ...(document.webhooks === undefined ? [] : [eventsOf(document.webhooks)]),
  ].join('\n');
}

function operationOf(name: string, { summary, parameters = [], requestBody, responses }: Operation): string {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
  const json = content['application/json']?.schema.properties;
  const body = requestBody?.content['application/json']?.schema;
  const request = [
    placeOf('path', parameters),
    placeOf('query', parameters),
    body === undefined ? '' : field('body', requestBody?.required === true, typeOf(body)),
  ].join('');
  const listed = json !== undefined && ('paginacao' in json || 'meta' in json);
  const answer =
    json === undefined ? 'file: true;' : `data: ${typeOf(json['dados'] ?? json['data'] ?? {})}; list: ${listed};`;
  return `${commentOf(summary)}${JSON.stringify(name)}: { request: { ${request} }; ${answer} };`;
}

function placeOf(place: 'path' | 'query', parameters: readonly Parameter[]): string {
  const here = parameters.filter((parameter) => parameter.in === place);
  if (here.length === 0) return '';
  const fields = here.map(({ name, required, schema, description }) =>
    field(name, required, typeOf(schema), description),
  );
  return field(
    place,
    here.some(({ required }) => required),
    `{ ${fields.join(' ')} }`,
  );
}

const takes = ({ parameters = [] }: Operation, place: string, name: string): boolean =>
  parameters.some((parameter) => parameter.in === place && parameter.name === name);

function eventsOf(webhooks: Paths): string {
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema ?? {};
    return `${commentOf(post?.summary)}${JSON.stringify(name)}: ${typeOf(schema)};`;
  });
  return `/** What a webhook is sent, by the name of the event. */\nexport interface Events { ${events.join('\n')} }`;
}
