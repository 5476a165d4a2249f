import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBinary } from '../../src/local/binaries/find-binary.ts';

const run = promisify(execFile);
const DADOS = fileURLToPath(new URL('../../../.data', import.meta.url));

/**
 * Debian packages unpacked into a folder of this clone: nothing is installed, no service starts. Null where they cannot be had. Once
 * brought, they stay.
 */
export async function pacotesSoltos(nome: string, pacotes: readonly string[]): Promise<string | null> {
  const pasta = path.join(DADOS, `pacotes-${nome}`);
  if (existsSync(pasta)) return pasta;
  if (findBinary(['apt-get']) === undefined || findBinary(['dpkg-deb']) === undefined) return null;
  // Under another name until it is whole, and each who brings them under one of its own: tests of a process may do so at once.
  mkdirSync(DADOS, { recursive: true });
  const nova = mkdtempSync(`${pasta}.`);
  try {
    await run('apt-get', ['download', '-q', ...pacotes], { cwd: nova });
    for (const pacote of readdirSync(nova).filter((arquivo) => arquivo.endsWith('.deb'))) {
      await run('dpkg-deb', ['--extract', path.join(nova, pacote), nova]);
      rmSync(path.join(nova, pacote));
    }
    renameSync(nova, pasta);
    return pasta;
  } catch {
    return existsSync(pasta) ? pasta : null;
  } finally {
    rmSync(nova, { recursive: true, force: true });
  }
}

/** Where the libraries of unpacked packages are. */
export const bibliotecasDe = (pasta: string): string =>
  [path.join(pasta, 'usr/lib/x86_64-linux-gnu'), path.join(pasta, 'usr/lib/aarch64-linux-gnu')].join(':');
