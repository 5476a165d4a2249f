import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

/**
 * Names the sources where a text names what was compiled of them: `dist/test/a.test.js:10:3` is `test/a.test.ts:12:5`.
 *
 * @param {string} text
 */
export function nameSources(text) {
  return text.replaceAll(
    /(?:(?:file:\/\/)?\/[^\s()]*?\/)?\bdist\/([^\s():]+)\.js:(\d+):(\d+)/g,
    (compiled, /** @type {string} */ name, /** @type {string} */ line, /** @type {string} */ column) => {
      const entry = mapOf(name)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !('originalLine' in entry)) return compiled;
      return `${name}.ts:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

/** @param {string} name */
function mapOf(name) {
  if (!maps.has(name)) maps.set(name, readMap(join(root, 'dist', `${name}.js.map`)));
  return maps.get(name);
}

/** @param {string} file */
function readMap(file) {
  try {
    return new SourceMap(
      /** @type {import('node:module').SourceMapPayload} */ (JSON.parse(readFileSync(file, 'utf8'))),
    );
  } catch {
    return undefined;
  }
}
