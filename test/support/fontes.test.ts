import test from 'ava';
import { lerFonte } from './fontes.ts';

test('o leitor acha cada forma de importação, com a linha, e ignora comentários, textos e expressões', (t) => {
  const fonte = [
    `import a from './estatica.ts';`,
    `import './efeito.ts'; import b, { c as d } from "./aspas.ts";`,
    `import type { E } from './tipo.ts';`,
    `import {`,
    `  type F,`,
    `  g,`,
    `} from './varias-linhas.ts';`,
    `import * as h from './tudo.ts';`,
    `import type from './nome-type.ts';`,
    `const i = await import('./dinamica.ts'), j = import(\`./modelo.ts\`);`,
    `type K = import('./no-tipo.ts').K;`,
    `export * from './exporta-tudo.ts'; export { l, type M } from './exporta.ts'; export type { N } from './exporta-tipo.ts';`,
    `export { b }; const o = { from: 'nada' };`,
    `// import './comentario.ts'`,
    `/* import './bloco.ts' \n import './bloco.ts' */`,
    `const p = "import './texto.ts'", q = 'it\\'s import "./escapado.ts"';`,
    `const r = \`import './em-modelo.ts' \${await import('./na-expressao.ts')} import './depois.ts'\`;`,
    `const s = /import '.\\/regex.ts'|["'\`]/g.test(q) ? 6 / 2 / 1 : import.meta.url;`,
    `import(new URL('./por-url.ts', import.meta.url).href); obj.import('./metodo.ts');`,
    `import './fim.ts';`,
  ].join('\n');
  t.deepEqual(
    lerFonte('a.ts', fonte).importacoes.map(({ linha, alvo, forma }) => [linha, alvo, forma]),
    [
      [1, './estatica.ts', 'estatica'],
      [2, './efeito.ts', 'estatica'],
      [2, './aspas.ts', 'estatica'],
      [3, './tipo.ts', 'tipo'],
      [4, './varias-linhas.ts', 'estatica'],
      [8, './tudo.ts', 'estatica'],
      [9, './nome-type.ts', 'estatica'],
      [10, './dinamica.ts', 'dinamica'],
      [10, './modelo.ts', 'dinamica'],
      [11, './no-tipo.ts', 'tipo'],
      [12, './exporta-tudo.ts', 'reexporta'],
      [12, './exporta.ts', 'reexporta'],
      [12, './exporta-tipo.ts', 'reexporta'],
      [18, './na-expressao.ts', 'dinamica'],
      [21, './fim.ts', 'estatica'],
    ],
  );
});

test('o que não é TypeScript não passa por código que segue as regras', (t) => {
  t.throws(() => lerFonte('src/a.ts', 'import { from'), { message: /^src\/a\.ts: / });
});
