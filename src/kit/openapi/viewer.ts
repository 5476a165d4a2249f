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
 * its path below the base address. Files are read, and the document is made, at their first use and then kept.
 */
export function createViewer(title: string, document: () => OpenPage): (path: string) => Promise<OpenPage | null> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const ready = new Map<string, OpenPage>([
    ['/docs', { type: 'text/html; charset=utf-8', content: Buffer.from(pageOf(title)) }],
    ['/docs/inicio.js', { type: 'text/javascript; charset=utf-8', content: Buffer.from(START) }],
  ]);
  const types = new Map([
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/favicon-32x32.png', 'image/png'],
  ]);
  const ofPackage = async (asked: string): Promise<OpenPage | null> => {
    const type = types.get(asked);
    return type === undefined ? null : { type, content: await readFile(path.join(folder, path.basename(asked))) };
  };
  return async (asked) => {
    const page = ready.get(asked) ?? (asked === '/openapi.json' ? document() : await ofPackage(asked));
    if (page !== null) ready.set(asked, page);
    return page;
  };
}
