import { createAssets, readPackageFile } from '../../../kit/html/assets.ts';
import { AO_VIVO } from './ao-vivo.ts';
import { AVISOS } from './avisos.ts';
import { ESTILO } from './estilo.ts';
import { ICONE_SVG, iconePng } from './icone-do-app.ts';
import { ICONES } from './icones.ts';
import { SCRIPT } from './script.ts';

/** All addresses of the panel begin so. */
export const BASE = '/painel';

const ICONES_DO_PACOTE = {
  package: '@tabler/icons-sprite',
  file: 'dist/tabler-sprite.svg',
  sha256: '00dc8ca2dde048692e5a89ced146246ab5567155c980a40fb863941d2c0c96b4',
} as const;

/**
 * htmx and what it hears streams with, in one file: htmx looks over the page as soon as its own script has run, and where the extension
 * came later, by a script of its own, the page's stream was never opened.
 */
const HTMX = [
  { file: 'dist/htmx.min.js', sha256: 'a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130' },
  { file: 'dist/ext/hx-sse.min.js', sha256: '18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103' },
] as const;

/** A script without what only its readers need: indentation, and lines that are comments. It has no template literal, where that would tell. */
const enxuto = (script: string): string => script.replaceAll(/^\s*\/\/.*$/gm, '').replaceAll(/^\s+/gm, '');

const texto = (conteudo: string) => ({ version: conteudo, make: async () => Buffer.from(conteudo) });

/** What the pages load. Those of packages are the files that were tried, and no others. */
export const ativos = createAssets(`${BASE}/ativos`, {
  'tabler.css': {
    package: '@tabler/core',
    file: 'dist/css/tabler.min.css',
    sha256: '370a2d4e608ae518351d10528fc7dbe19b354ae5062c51b2a9cb294850d65403',
  },
  'htmx.js': { version: HTMX.map(({ sha256 }) => sha256).join(' '), make: juntarHtmx },
  'uplot.js': {
    package: 'uplot',
    file: 'dist/uPlot.iife.min.js',
    sha256: '19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f',
  },
  'uplot.css': {
    package: 'uplot',
    file: 'dist/uPlot.min.css',
    sha256: 'df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04',
  },
  'icones.svg': { version: `${ICONES_DO_PACOTE.sha256} ${ICONES.join()}`, make: cortarIcones },
  'icone.svg': texto(ICONE_SVG),
  'icone-192.png': { version: `${ICONE_SVG} 192`, make: async () => iconePng(192) },
  'icone-512.png': { version: `${ICONE_SVG} 512`, make: async () => iconePng(512) },
  'painel.css': texto(ESTILO),
  'painel.js': texto(enxuto(SCRIPT + AO_VIVO + AVISOS)),
});

async function juntarHtmx(): Promise<Buffer> {
  const partes = await Promise.all(HTMX.map(async ({ file, sha256 }) => readPackageFile('htmx.org', file, sha256)));
  return Buffer.from(partes.map((parte) => `${parte.toString()};\n`).join(''));
}

/** The symbols that the panel uses, out of the package's five thousand. */
async function cortarIcones(): Promise<Buffer> {
  const { package: pacote, file, sha256 } = ICONES_DO_PACOTE;
  const todos = (await readPackageFile(pacote, file, sha256)).toString();
  const simbolos = ICONES.map((nome) => {
    const inicio = todos.indexOf(`<symbol id="tabler-${nome}"`);
    const fim = todos.indexOf('</symbol>', inicio);
    if (inicio === -1 || fim === -1) throw new Error(`${pacote}: there is no icon ${nome}`);
    return todos.slice(inicio, fim).replace(`id="tabler-${nome}"`, `id="${nome}"`).concat('</symbol>');
  });
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${simbolos.join('')}</svg>`);
}
