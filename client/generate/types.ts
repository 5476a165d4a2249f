/** A JSON Schema as the OpenAPI documents of the service write it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

const OF_TYPE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** A schema as the text of a TypeScript type. What it cannot express, such as lengths, is left to the service. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return union(schema.anyOf.map(typeOf));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? 'unknown' : union(types.map((type) => ofOneType(type, schema)));
}

function ofOneType(type: string, schema: JsonSchema): string {
  if (type === 'array') return `Array<${typeOf(schema.items ?? {})}>`;
  if (type === 'object') return schema.properties === undefined ? 'Record<string, unknown>' : objectOf(schema);
  const known = OF_TYPE[type];
  if (known === undefined) throw new Error(`Unknown type in the document: ${type}.`);
  return known;
}

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, required.includes(name), typeOf(schema), schema.description),
  );
  return `{ ${fields.join(' ')} }`;
}

/** A field of an object type, with what the document says of it. */
export function field(name: string, required: boolean, type: string, description?: string): string {
  return `${commentOf(description)}${JSON.stringify(name)}${required ? '' : '?'}: ${type};`;
}

/** A doc comment on a line of its own, or nothing. */
export function commentOf(text: string | undefined): string {
  return text === undefined || text === '' ? '' : `\n/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}

const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');
