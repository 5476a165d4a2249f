import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBinary } from './find-binary.ts';
import { CommandError, run } from '../processes/run-command.ts';

const lockDeadlineMs = 300_000;

/** Whether this process may install Debian packages. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && findBinary(['apt-get']) !== undefined;
}

/**
 * Installs, of each group of alternatives, the first package that this distribution has. No system service starts and
 * none is enabled, now or at the next boot: the packages are wanted for their programs alone.
 *
 * @param scratchDir - where a folder of short scripts may stand while apt runs; must allow execution.
 * @throws CommandError with apt's output.
 */
export async function installPackages(groups: readonly (readonly string[])[], scratchDir: string): Promise<void> {
  const deadline = Date.now() + lockDeadlineMs;
  let interrupted = false;
  for (;;) {
    try {
      if (interrupted) await run('dpkg', ['--configure', '-a']);
      return await updateAndInstall(groups, scratchDir);
    } catch (error) {
      const output = error instanceof CommandError ? error.output : '';
      // Another apt at work (a second clone's first start, unattended-upgrades): the lists' lock, and dpkg's own, know no waiting.
      const busy = /Could not get lock|Unable to lock|locked by another process/.test(output);
      // An install that was killed half-way (ours, for one) leaves dpkg in need of this.
      interrupted = output.includes('dpkg --configure -a') || (busy && interrupted);
      if (!(busy || interrupted) || Date.now() > deadline) throw error;
      await sleep(1_000);
    }
  }
}

async function updateAndInstall(groups: readonly (readonly string[])[], scratchDir: string): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  await run('apt-get', ['update', '-q'], { env });
  const packages: string[] = [];
  for (const group of groups) packages.push(await firstAvailable(group, env));
  const shims = createServiceShims(scratchDir);
  try {
    const settings = [
      `DPkg::Path=${shims}:/usr/sbin:/usr/bin:/sbin:/bin`,
      'DPkg::Lock::Timeout=300',
      'Dpkg::Use-Pty=0',
      // Without a terminal a question about a configuration file left by an earlier install would be an error.
      'Dpkg::Options::=--force-confold',
    ].flatMap((setting) => ['-o', setting]);
    await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...settings, ...packages], { env });
  } finally {
    rmSync(shims, { recursive: true, force: true });
  }
}

async function firstAvailable(alternatives: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  let failure: unknown;
  for (const name of alternatives) {
    try {
      await run('apt-get', ['install', '--simulate', '-q', '--no-install-recommends', name], { env });
      return name;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/**
 * On a system with an init the package `redis-server` would start and enable a service. `policy-rc.d` could forbid
 * the start, but it is a file of the whole system, a crash would leave it behind, and it does not forbid enabling.
 * Instead dpkg is given a PATH on which the commands that packages manage services with are ours, for this one run;
 * calls about other services go on to the real commands.
 */
function createServiceShims(scratchDir: string): string {
  const dir = mkdtempSync(join(scratchDir, 'apt-'));
  const shim = join(dir, 'malha-shim');
  const script = `#!/bin/sh
case "$*" in *redis*|*valkey*|*mysql*|*mariadb*|*freeradius*|*prometheus*) exit 0 ;; esac
for place in /usr/sbin /usr/bin /sbin /bin; do
  if [ -x "$place/\${0##*/}" ]; then exec "$place/\${0##*/}" "$@"; fi
done
exit 0
`;
  writeFileSync(shim, script);
  chmodSync(shim, 0o755);
  for (const name of ['systemctl', 'deb-systemd-helper', 'deb-systemd-invoke', 'invoke-rc.d', 'update-rc.d']) {
    symlinkSync('malha-shim', join(dir, name));
  }
  return dir;
}
