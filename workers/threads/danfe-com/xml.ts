import { XMLParser } from 'fast-xml-parser';

/** An element of a document: its text and its children by name, in their order. */
export interface Element {
  /** The text of a descendant by its path; '' where there is none. */
  text(...path: string[]): string;
  /** A descendant by its path; an empty one where there is none. */
  child(...path: string[]): Element;
  children(name: string): Element[];
  has(name: string): boolean;
  /** The names of the children. */
  names(): string[];
}

const ATTRIBUTE = '@';
const TEXT = '#';

// Values stay text: a key of 44 digits is no number. A prefix says nothing, since all is of one namespace.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  removeNSPrefix: true,
  alwaysCreateTextNode: true,
});

/** @throws Error when the text is no XML. */
export function readXml(text: string): Element {
  return elementOf(parser.parse(text, true));
}

function elementOf(node: unknown): Element {
  const listOf = (name: string): unknown[] => {
    const found = isRecord(node) ? node[name] : undefined;
    if (found === undefined) return [];
    return Array.isArray(found) ? found : [found];
  };
  const child = (...[name, ...rest]: string[]): Element => {
    if (name === undefined) return elementOf(node);
    const found = elementOf(listOf(name)[0]);
    return rest.length === 0 ? found : found.child(...rest);
  };
  return {
    child,
    text: (...path) => {
      if (path.length > 0) return child(...path).text();
      const own = isRecord(node) ? node[TEXT] : node;
      return typeof own === 'string' ? own.trim() : '';
    },
    children: (name) => listOf(name).map(elementOf),
    has: (name) => listOf(name).length > 0,
    names: () =>
      isRecord(node) ? Object.keys(node).filter((name) => name !== TEXT && !name.startsWith(ATTRIBUTE)) : [],
  };
}

const isRecord = (node: unknown): node is Readonly<Record<string, unknown>> =>
  typeof node === 'object' && node !== null && !Array.isArray(node);
