import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { OpenPage } from '../http/surface.ts';

const pageOf = (title: string): string => `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/inicio.js"></script>
</body>
</html>
`;

const START = `window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The browser may load only what we serve. Swagger UI writes style attributes and has its icons in `data:` URLs. */
export const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Matches the URL of every page of the viewer. It may also match other URLs. */
export const VIEWER_PATTERN = /\/(openapi\.json|docs)/;

/**
 * Serves Swagger UI from its package, together with the document that it shows. The returned function finds a file by
 * its path below the base address. Files are read at their first use and then kept.
 */
export function createViewer(title: string, document: OpenPage): (path: string) => Promise<OpenPage | null> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const ready = new Map<string, OpenPage>([
    ['/openapi.json', document],
    ['/docs', { type: 'text/html; charset=utf-8', content: Buffer.from(pageOf(title)) }],
    ['/docs/inicio.js', { type: 'text/javascript; charset=utf-8', content: Buffer.from(START) }],
  ]);
  const ofPackage = new Map([
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/favicon-32x32.png', 'image/png'],
  ]);
  return async (asked) => {
    const known = ready.get(asked);
    if (known !== undefined) return known;
    const type = ofPackage.get(asked);
    if (type === undefined) return null;
    const page = { type, content: await readFile(path.join(folder, path.basename(asked))) };
    ready.set(asked, page);
    return page;
  };
}
