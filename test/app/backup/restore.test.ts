import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { FILES } from '../../../src/app/backup/manifest.ts';
import { restoreBackup } from '../../../src/app/backup/restore.ts';

test('dos logs binários, o que falta depois do 999999 também é dito, e nada se carrega', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'malha-teste-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const dump = Buffer.from('dump');
  writeFileSync(join(folder, FILES.dump), dump);
  const sha256 = createHash('sha256').update(dump).digest('hex');
  const manifest = { formato: 1, sha256, log_binario: { arquivo: 'bin.999999', posicao: 4 } };
  writeFileSync(join(folder, FILES.manifest), JSON.stringify(manifest));
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  for (const name of ['bin.999998', 'bin.999999', 'bin.1000001', 'bin.index']) writeFileSync(join(logs, name), '');
  await t.throwsAsync(restoreBackup({ url: 'mysql://dono@127.0.0.1:1/malha', folder, logs }), {
    message: /^Entre bin\.999999 e bin\.1000001 falta um log em /,
  });
});
