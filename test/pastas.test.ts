import { posix } from 'node:path';
import test from 'ava';
import { lerFontes } from './support/fontes.ts';

// Where files stand: folders small enough to see at a glance, and imports that go one way only.

const MAXIMO_NA_PASTA = 12;

const FONTES = lerFontes(['src', 'workers', 'seeds']);

const GRAFO = new Map(
  [...FONTES.values()].map(({ nome, importacoes }) => {
    const relativas = importacoes.filter(({ alvo }) => alvo.startsWith('.'));
    return [nome, new Set(relativas.map(({ alvo }) => posix.join(posix.dirname(nome), alvo)))];
  }),
);

/** A way that comes back to where it began, as `a → b → a`; the empty text where there is none. */
function circulo(grafo: ReadonlyMap<string, ReadonlySet<string>>): string {
  const vistos = new Set<string>();
  function seguir(no: string, caminho: readonly string[]): string {
    const desde = caminho.indexOf(no);
    if (desde !== -1) return [...caminho.slice(desde), no].join(' → ');
    if (vistos.has(no)) return '';
    vistos.add(no);
    for (const proximo of grafo.get(no) ?? []) {
      const achado = seguir(proximo, [...caminho, no]);
      if (achado !== '') return achado;
    }
    return '';
  }
  for (const no of grafo.keys()) {
    const achado = seguir(no, []);
    if (achado !== '') return achado;
  }
  return '';
}

/** The graph of areas: each folder of machinery, of pure functions or of the program is one; of the rest, each of src's own folders. */
function porArea(grafo: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const areaDe = (arquivo: string): string =>
    /^src\/(?:platform|brazil|local|app|kit|access)\//.test(arquivo)
      ? posix.dirname(arquivo)
      : arquivo.split('/').slice(0, 2).join('/');
  const areas = new Map<string, Set<string>>();
  for (const [de, alvos] of grafo) {
    const area = areaDe(de);
    const vizinhas = areas.get(area) ?? new Set();
    for (const alvo of alvos) if (areaDe(alvo) !== area) vizinhas.add(areaDe(alvo));
    areas.set(area, vizinhas);
  }
  return areas;
}

test('nenhuma pasta de src tem mais de doze arquivos soltos', (t) => {
  const soltos = new Map<string, number>();
  for (const arquivo of FONTES.keys()) {
    const onde = posix.dirname(arquivo);
    if (/^src(?:\/|$)/.test(onde)) soltos.set(onde, (soltos.get(onde) ?? 0) + 1);
  }
  const cheias = [...soltos].filter(([, quantos]) => quantos > MAXIMO_NA_PASTA).map(([onde]) => onde);
  t.deepEqual(cheias, []);
});

test('nenhuma importação dá em círculo, entre arquivos nem entre áreas', (t) => {
  t.true(GRAFO.size > 200);
  t.is(circulo(GRAFO), '');
  t.is(circulo(porArea(GRAFO)), '');
  t.is(
    circulo(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['c', 'd'])],
        ['d', new Set(['b'])],
      ]),
    ),
    'b → d → b',
  );
});
