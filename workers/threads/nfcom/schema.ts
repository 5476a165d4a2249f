import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import type { Recusa } from '../../../src/brazil/nfcom/base/recusas.ts';
import type { EsquemaDaNota } from './contract.ts';

/** The elements that are judged: a note, an event, and what an event's own schema takes anything for. */
type Root = 'nfcom' | 'eventoNFCom' | 'evCancNFCom';

// The compiled thread stands in dist/workers/threads/nfcom, the schemas stay among the sources.
const FOLDER = new URL('../../../../workers/threads/nfcom/xsd/', import.meta.url);
const NAMESPACE = /\{http:\/\/www\.portalfiscal\.inf\.br\/nfcom\}|\{http:\/\/www\.w3\.org\/2000\/09\/xmldsig#\}/g;
const MOST = 5;

const compiled = new Map<string, XsdValidator>();

/** A schema, compiled once in a thread: that takes as long as some hundred notes. */
function validatorOf(esquema: EsquemaDaNota, root: Root): XsdValidator {
  const name = `${esquema}/${root}_v1.00.xsd`;
  let validator = compiled.get(name);
  if (validator === undefined) {
    if (compiled.size === 0) xmlRegisterFsInputProviders();
    const path = fileURLToPath(new URL(name, FOLDER));
    using xsd = XmlDocument.fromBuffer(readFileSync(path), { url: path });
    validator = XsdValidator.fromDoc(xsd);
    compiled.set(name, validator);
  }
  return validator;
}

/** What a schema of the authority's says against a document; nothing when it is valid. */
export function judge(esquema: EsquemaDaNota, root: Root, xml: string): Recusa[] {
  const validator = validatorOf(esquema, root);
  try {
    // As bytes it is read in two thirds of the time.
    using document = XmlDocument.fromBuffer(Buffer.from(xml));
    validator.validate(document);
    return [];
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    return error.details.slice(0, MOST).map(({ message }) => {
      const text = withoutValue(message.replace(NAMESPACE, ''));
      return {
        codigo: 'esquema',
        // Here it is the element of the XML, which the message names first.
        campo: /^Element '(\w+)'/.exec(text)?.[1] ?? '',
        mensagem: `O esquema da NFCom recusa a nota: ${text}`,
      };
    });
  }
}

/** A message quotes the value that is refused, which may be a name or a document. */
const withoutValue = (message: string): string => message.trim().replace(/(The value|value) '[^']*'/g, '$1');
