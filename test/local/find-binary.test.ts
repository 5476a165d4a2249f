import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import test from 'ava';
import { findBinary } from '../../src/local/binaries/find-binary.ts';

const scratch = mkdtempSync(join(tmpdir(), 'malha-path-'));
test.after.always(() => rmSync(scratch, { recursive: true, force: true }));

function place(name: string, programs: Record<string, number>): string {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const [program, mode] of Object.entries(programs)) writeFileSync(join(folder, program), '', { mode });
  return folder;
}

test.serial('who has two servers chooses by the PATH, and within a place by the order of the names', (t) => {
  const one = place('one', { segundo: 0o755 });
  const both = place('both', { primeiro: 0o755, segundo: 0o755 });
  const unfit = place('unfit', { primeiro: 0o644 });
  const found = (...places: string[]): string | undefined => {
    process.env['PATH'] = places.join(delimiter);
    return findBinary(['primeiro', 'segundo']);
  };
  t.is(found(one, both), join(one, 'segundo'));
  t.is(found(both, one), join(both, 'primeiro'));
  t.is(found(unfit, one), join(one, 'segundo'));
  t.is(found(unfit), undefined);
});
