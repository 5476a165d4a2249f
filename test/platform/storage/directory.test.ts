import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { createDirectoryStore } from '../../../src/platform/storage/directory.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'malha-objetos-'));
test.after.always(() => rmSync(scratch, { recursive: true, force: true }));

const pasta = (): string => mkdtempSync(path.join(scratch, 'x'));

async function gravar(raiz: string, nome: string): Promise<void> {
  const saida = await createDirectoryStore(raiz).create(nome);
  await saida.write(Buffer.from('Maria da Silva'));
  await saida.close();
}

test('um objeto é do usuário do serviço, e só dele, com as pastas em que fica', async (t) => {
  const raiz = path.join(pasta(), 'extratos');
  await gravar(raiz, '3/1/faturas.parquet');
  const modo = (nome: string): number => statSync(path.join(raiz, nome)).mode & 0o777;
  t.deepEqual(['3', '3/1', '3/1/faturas.parquet'].map(modo), [0o700, 0o700, 0o600]);
});

test('o que alguém deixou com o nome do que se vai gravar não recebe nada', async (t) => {
  const [raiz, alheia] = [pasta(), pasta()];
  const alvo = path.join(alheia, 'alvo');
  writeFileSync(alvo, 'antes');
  mkdirSync(path.join(raiz, '3'), { mode: 0o700 });
  symlinkSync(alvo, path.join(raiz, '3', '.parcial-faturas.parquet'));
  await gravar(raiz, '3/faturas.parquet');
  t.is(readFileSync(alvo, 'utf8'), 'antes');
  t.is(readFileSync(path.join(raiz, '3', 'faturas.parquet'), 'utf8'), 'Maria da Silva');
});

test('nada se grava numa pasta que outros podem mudar', async (t) => {
  const raiz = pasta();
  const aberta = path.join(raiz, '3');
  mkdirSync(aberta);
  chmodSync(aberta, 0o777);
  await t.throwsAsync(gravar(raiz, '3/1/faturas.parquet'), { message: /^A pasta .*\/3 pode ser mudada por outros/ });
  t.deepEqual(readdirSync(path.join(aberta, '1')), []);

  const [comLink, alheia] = [pasta(), pasta()];
  symlinkSync(alheia, path.join(comLink, '3'));
  await t.throwsAsync(gravar(comLink, '3/faturas.parquet'), { message: /\/3 pode ser mudada por outros/ });
  t.deepEqual(readdirSync(alheia), []);

  // Only root can give a folder away.
  if (process.getuid?.() !== 0) return;
  const deOutro = pasta();
  mkdirSync(path.join(deOutro, '3'), { mode: 0o700 });
  chownSync(path.join(deOutro, '3'), 65_534, 65_534);
  await t.throwsAsync(gravar(deOutro, '3/faturas.parquet'), { message: /\/3 pode ser mudada por outros/ });
});
