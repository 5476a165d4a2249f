import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { runProgram } from '../../src/app/program.ts';

// Whoever follows a runbook types what stands there: each command that a document or a unit names exists, with its options.

const RAIZ = fileURLToPath(new URL('../../../', import.meta.url));
const em = (pasta: string): string[] =>
  readdirSync(path.join(RAIZ, pasta), { recursive: true, encoding: 'utf8' }).map((nome) => `${pasta}/${nome}`);

const PALAVRA = /"[^"]*"|'[^']*'|[^\s"'|;&#()`]+/.source;
/** `malha` as people type it, as units and containers start it, and the services of `compose.yaml` that run one: `backup` is a command by itself. */
const COMANDO = new RegExp(
  `(?:\\bmalha|cli\\.js|run --rm(?: +-[ev] +\\S+)*(?: +migrate|(?= +backup ))) +((?:${PALAVRA})(?: +(?:${PALAVRA}))*)`,
  'g',
);

/** What stands between backticks, in blocks, in lines that start the program, and in what alerts say is to be done. */
function* escritos(texto: string): Generator<string> {
  for (const [, bloco = ''] of texto.matchAll(/^ *```(?:sh)?\n([^]*?)^ *```$/gm))
    yield* bloco.replaceAll('\\\n', ' ').split('\n');
  for (const [, trecho = ''] of texto.matchAll(/`([^`\n]*(?:\n[^`\n]+)?)`/g)) yield trecho.replace('\n', ' ');
  for (const linha of texto.split('\n')) if (linha.includes('cli.js')) yield linha;
  for (const [, aviso = ''] of texto.matchAll(/que_fazer: '(.+)'/g)) yield* aviso.split(/[,;:.]/);
}

const ajudas = new Map<string, string>();
async function ajudaDe(caminho: readonly string[]): Promise<string> {
  const nome = caminho.join(' ');
  const dita = { texto: ajudas.get(nome) ?? '' };
  if (dita.texto !== '') return dita.texto;
  const write = (texto: string): string => (dita.texto += texto);
  await runProgram([...caminho, '--help'], {
    env: {},
    stdin: () => Readable.from([]),
    stdout: { write },
    stderr: { write },
    onInterrupt: () => () => {},
    holdSignals: () => () => {},
  });
  ajudas.set(nome, dita.texto);
  return dita.texto;
}

/** What is wrong with a command, or nothing. */
async function erroDe(palavras: readonly string[]): Promise<string | null> {
  const caminho: string[] = [];
  for (const palavra of palavras) {
    if (!/^[a-z][a-z-]*$/.test(palavra)) break;
    if (!new RegExp(`^  ${palavra}(?: |$)`, 'm').test(await ajudaDe(caminho))) break;
    caminho.push(palavra);
  }
  const ajuda = await ajudaDe(caminho);
  const seguinte = palavras[caminho.length];
  if (/^Comandos:/m.test(ajuda) && seguinte !== undefined && /^[a-z]/.test(seguinte)) return `não há ${seguinte}`;
  const opcoes = palavras.flatMap((palavra) => /^--[a-z][a-z-]*/.exec(palavra)?.[0] ?? []);
  const falta = opcoes.find((opcao) => !new RegExp(`[ ,]${opcao}(?: |$)`, 'm').test(ajuda));
  return falta === undefined ? null : `não há ${falta}`;
}

test('cada comando que a documentação e as unidades dizem existe, com as suas opções', async (t) => {
  const arquivos = [
    'README.md',
    'compose.yaml',
    ...em('deploy/systemd'),
    'deploy/prometheus/malha.rules.yml',
    'deploy/haproxy/trocar.sh',
    ...em('docs').filter((nome) => nome.endsWith('.md')),
  ];
  let vistos = 0;
  const errados: string[] = [];
  for (const arquivo of arquivos) {
    for (const escrito of escritos(readFileSync(path.join(RAIZ, arquivo), 'utf8'))) {
      for (const [, comando = ''] of escrito.matchAll(COMANDO)) {
        const palavras = comando.match(new RegExp(PALAVRA, 'g')) ?? [];
        if (!/^[a-z][a-z-]*$/.test(palavras[0] ?? '')) continue;
        vistos += 1;
        const erro = await erroDe(palavras);
        if (erro !== null) errados.push(`${arquivo}: malha ${comando}: ${erro}`);
      }
    }
  }
  t.true(vistos > 150, String(vistos));
  t.deepEqual(errados, []);
  t.is(await erroDe(['provedor', 'mover', '3', '--sem-trocar']), 'não há --sem-trocar');
  t.is(await erroDe(['provedor', 'levar', '3']), 'não há levar');
});
