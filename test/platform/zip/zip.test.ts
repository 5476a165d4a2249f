import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import test from 'ava';
import { writeZip } from '../../../src/platform/zip/zip.ts';
import type { ZipEntry } from '../../../src/platform/zip/zip.ts';
import { programa } from '../../support/programas.ts';

const executar = promisify(execFile);
const QUANDO = new Date('2026-11-20T12:34:56.000Z');

async function* deLista(entradas: readonly ZipEntry[]): AsyncGenerator<ZipEntry> {
  yield* entradas;
}

/** What unzip says of an archive, which it tests and lists. */
async function lido(entradas: AsyncIterable<ZipEntry>, ...argumentos: string[]): Promise<string> {
  const pasta = mkdtempSync(join(tmpdir(), 'malha-zip-'));
  try {
    const arquivo = join(pasta, 'notas.zip');
    await pipeline(Readable.from(writeZip(entradas, QUANDO)), createWriteStream(arquivo));
    const unzip = await programa('unzip');
    const { stdout: conferido } = await executar(unzip, ['-tq', arquivo]);
    const { stdout } = await executar(unzip, [...argumentos, arquivo], { maxBuffer: 2 ** 26 });
    return conferido + stdout;
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
}

test('um arquivo ZIP tem cada documento byte a byte, também o vazio e o de nome acentuado', async (t) => {
  const texto = 'á'.repeat(3000);
  const entradas = [
    { name: 'xml/a.xml', bytes: Buffer.from(texto) },
    { name: 'vazio.txt', bytes: Buffer.alloc(0) },
    { name: 'situação.csv', bytes: Buffer.from('fim') },
  ];
  const dito = await lido(deLista(entradas), '-p');
  t.true(dito.startsWith('No errors detected'), dito.slice(0, 200));
  t.true(dito.endsWith(`${texto}fim`));
});

test('mais de 65.535 documentos cabem (ZIP64), e quem os lê tem-nos todos', async (t) => {
  async function* muitas(): AsyncGenerator<ZipEntry> {
    for (let n = 0; n < 65_600; n += 1) yield { name: `xml/${n}.xml`, bytes: Buffer.from(String(n)) };
  }
  const dito = await lido(muitas(), '-l');
  t.regex(dito, /65600 files/);
});

test('nada se escreve sem nenhum documento, e o arquivo vazio é um ZIP', async (t) => {
  const partes: Buffer[] = [];
  for await (const parte of writeZip(deLista([]), QUANDO)) partes.push(parte);
  t.is(Buffer.concat(partes).toString('latin1'), `PK\x05\x06${'\0'.repeat(18)}`);
});
