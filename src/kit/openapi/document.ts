import type { Mask, Schema } from '../../platform/schema-type.ts';
import type { Format } from '../fields/formats.ts';
import type { Envelope, Json } from '../reply/envelope.ts';
import type { Errors } from '../reply/failure.ts';
import { isClosedToRestricted } from '../http/restriction.ts';
import type { Route, SurfaceTypes } from '../http/route.ts';
import { HEADERS, headersWith } from './headers.ts';
import { parametersOf } from './parameters.ts';
import { errorsOf, successesOf } from './responses.ts';

/** A page that needs no credential, as the document describes it. */
interface DescribedPage {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly mime: string;
  readonly type: 'object' | 'string';
}

export interface DocumentOptions<T extends SurfaceTypes> {
  readonly routes: readonly Route<T>[];
  readonly info: object;
  readonly server: { readonly url: string; readonly description: string };
  /** The ways to send a credential, by name. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  readonly errors: Errors<T['code'], T['session']>;
  readonly envelope: Envelope;
  readonly formats: Readonly<Record<string, Format>>;
  /** Error codes that every route may answer. */
  readonly common: readonly T['code'][];
  /** Whether a caller with this permission may be one who is kept from something; see restriction.ts. */
  readonly mayBeRestricted?: (permission: T['permission'] | null) => boolean;
  /** Error codes that a route may answer when the request has an Idempotency-Key. */
  readonly ofRepetition: readonly T['code'][];
  /** The text that says who may use a route. */
  readonly describePermission: (permission: T['permission'] | null) => string;
  /** The codes that say that there is no good credential: not of routes that take none. */
  readonly ofCredential?: readonly T['code'][];
  /** Error codes of lists that are read by cursors. */
  readonly ofCursor?: readonly T['code'][];
  /** Error codes of routes that take no credential, in addition to their own. */
  readonly ofVisit?: readonly T['code'][];
  /** The name of the schema of errors. */
  readonly errorTitle: string;
  /** What the surface sends by itself, by name. */
  readonly webhooks?: Json;
  readonly pages?: { readonly group: string; readonly description: string; readonly list: readonly DescribedPage[] };
}

/** Makes the OpenAPI 3.1 document of a surface from its routes. */
export function createDocument<T extends SurfaceTypes>(options: DocumentOptions<T>): Json {
  const { routes, info, server, securitySchemes, errors, envelope, pages } = options;
  const schemas: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, options, schemas);
  }
  for (const page of pages?.list ?? []) paths[page.path] = { get: pageOf(page, options) };
  const groups = new Set([...routes.map(({ group }) => group), ...(pages === undefined ? [] : [pages.group])]);
  const codes = Object.keys(errors.catalogue);
  return {
    openapi: '3.1.0',
    info,
    servers: [server],
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    tags: [...groups].map((name) => ({ name })),
    paths,
    ...(options.webhooks === undefined ? {} : { webhooks: options.webhooks }),
    components: {
      securitySchemes,
      schemas: { ...schemas, [options.errorTitle]: envelope.failureSchema(codes) },
      headers: HEADERS,
    },
  };
}

function operationOf<T extends SurfaceTypes>(
  route: Route<T>,
  options: DocumentOptions<T>,
  schemas: Record<string, Json>,
): Json {
  const { envelope, errors, formats, describePermission } = options;
  const refer = (schema: Schema): Json => referTo(schema, schemas);
  const body = route.kind === 'write' ? route.body : null;
  return {
    operationId: idOf(route),
    tags: [route.group],
    summary: route.summary,
    description: [route.description, route.anonymous ? '' : describePermission(route.permission)]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.anonymous ? { security: [] } : {}),
    parameters: parametersOf(route, formats),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': { schema: refer(body.schema) } },
          },
        }),
    responses: {
      ...successesOf(route, envelope, refer),
      ...errorsOf(codesOf(route, options), errors.catalogue, envelope),
    },
  };
}

function idOf<T extends SurfaceTypes>({ method, path }: Route<T>): string {
  const words = path.replaceAll(/[{}]/g, '').split(/[/-]/).filter(Boolean);
  return [method.toLowerCase(), ...words]
    .map((word, i) => (i === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('');
}

/** The error codes that a route may answer: its own, and those that the checks of the kit can cause. */
function codesOf<T extends SurfaceTypes>(route: Route<T>, options: DocumentOptions<T>): T['code'][] {
  const { errors, formats, common, ofRepetition, ofCredential = [], ofVisit = [], ofCursor = [] } = options;
  const { moving, searchOnly, tooCurious } = errors.faults;
  const forRestricted =
    !route.anonymous && !isClosedToRestricted(route) && options.mayBeRestricted?.(route.permission) === true;
  const sent = [...Object.values(route.params), ...Object.values(route.query?.properties ?? {})];
  const codes = new Set<string>([
    ...common,
    ...(route.anonymous ? ofVisit : ofCredential),
    ...route.errors,
    ...sent.flatMap(({ format }) => formats[format ?? '']?.code ?? []),
    ...(route.kind === 'write' && route.repeatable ? ofRepetition : []),
    ...(route.kind === 'write' && route.guarded && errors.faults.stale !== undefined ? [errors.faults.stale] : []),
    ...(route.kind === 'write' && moving !== undefined ? [moving] : []),
    ...(route.kind === 'read' && route.cursor ? ofCursor : []),
    ...(route.kind === 'file' ? [errors.faults.range] : []),
    ...(forRestricted && tooCurious !== undefined ? [tooCurious] : []),
    ...(forRestricted && searchOnly !== undefined && route.kind === 'read' && route.reading.kind === 'list'
      ? [searchOnly]
      : []),
    ...(route.permission === null || route.anonymous ? [] : [errors.faults.forbidden]),
  ]);
  return Object.keys(errors.catalogue).filter((code) => codes.has(code));
}

/** How a field is shown to a key that may not see personal data, where that is not as to everybody. */
const SHOWN: Readonly<Partial<Record<Mask, string>>> = {
  name: 'primeiro nome e iniciais',
  document: 'só os dígitos 7 a 9',
  phone: 'só os quatro últimos dígitos',
  email: 'm***@d***.com',
  text: 'sem o que identifica a pessoa',
  pix: 'nulo no que leva à cobrança de um PSP, que diz quem deve',
  hidden: 'nulo',
};

/** Moves every schema with a title to the components, and puts a reference in its place. */
function referTo(schema: Schema, schemas: Record<string, Json>): Json {
  const { title, mask, person: _person, ...rest } = schema;
  const shown = mask === undefined ? undefined : SHOWN[mask];
  const copy: Json = shown === undefined ? { ...rest } : { ...rest, 'x-dados-mascarados': shown };
  if (schema.items !== undefined) copy['items'] = referTo(schema.items, schemas);
  if (schema.anyOf !== undefined) copy['anyOf'] = schema.anyOf.map((branch) => referTo(branch, schemas));
  if (schema.properties !== undefined) {
    copy['properties'] = Object.fromEntries(
      Object.entries(schema.properties).map(([name, value]) => [name, referTo(value, schemas)]),
    );
  }
  if (title === undefined) return copy;
  schemas[title] = copy;
  return { $ref: `#/components/schemas/${title}` };
}

function pageOf<T extends SurfaceTypes>(
  { id, summary, mime, type }: DescribedPage,
  { pages, errors, envelope }: DocumentOptions<T>,
): Json {
  const { catalogue, faults } = errors;
  return {
    operationId: id,
    tags: [pages?.group],
    summary,
    description: pages?.description,
    security: [],
    responses: {
      200: { description: 'Sucesso.', headers: headersWith(), content: { [mime]: { schema: { type } } } },
      ...errorsOf([faults.invalid, faults.limited, faults.unforeseen], catalogue, envelope),
    },
  };
}
