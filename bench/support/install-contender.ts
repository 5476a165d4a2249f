import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { run } from '../../src/local/processes/run-command.ts';
import type { BenchContext } from './bench.ts';

/** Installs the packages of a contender below the bench's data, once, without running code of theirs; resolves to the folder. */
export async function installContender({ root, dataDir, log }: BenchContext, name: string): Promise<string> {
  const source = join(root, 'bench', 'contenders', name);
  const target = join(dataDir, name);
  const stamp = join(target, 'installed');
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  const lock = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    log(`Instalando os pacotes do concorrente ${name} (npm ci, só desta vez)…`);
    await run('npm', ['ci', '--prefix', target, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
    writeFileSync(stamp, lock);
  }
  return target;
}
