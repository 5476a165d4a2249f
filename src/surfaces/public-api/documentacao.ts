import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** A file of the documentation viewer, ready to be sent. */
export interface Arquivo {
  readonly tipo: string;
  readonly conteudo: Buffer;
}

const PAGINA = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Malha · API pública v1</title>
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

const INICIO = `window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** What the browser may load: what we serve ourselves. Swagger UI writes style attributes and inlines its icons. */
export const CSP_DA_DOCUMENTACAO =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Swagger UI out of its package, served by us: path below the base address → file. Read at first use, then kept.
 */
export function createDocumentacao(): (caminho: string) => Promise<Arquivo | null> {
  const pasta = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const fixos: Readonly<Record<string, Arquivo>> = {
    '/docs': { tipo: 'text/html; charset=utf-8', conteudo: Buffer.from(PAGINA) },
    '/docs/inicio.js': { tipo: 'text/javascript; charset=utf-8', conteudo: Buffer.from(INICIO) },
  };
  const doPacote: Readonly<Record<string, string>> = {
    '/docs/swagger-ui.css': 'text/css; charset=utf-8',
    '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    '/docs/favicon-32x32.png': 'image/png',
  };
  const lidos = new Map<string, Arquivo>();
  return async (caminho) => {
    const pronto = (Object.hasOwn(fixos, caminho) ? fixos[caminho] : undefined) ?? lidos.get(caminho);
    if (pronto !== undefined) return pronto;
    const tipo = Object.hasOwn(doPacote, caminho) ? doPacote[caminho] : undefined;
    if (tipo === undefined) return null;
    const arquivo = { tipo, conteudo: await readFile(path.join(pasta, path.basename(caminho))) };
    lidos.set(caminho, arquivo);
    return arquivo;
  };
}
