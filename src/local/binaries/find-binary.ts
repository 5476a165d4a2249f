import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Places where packages put servers and where the PATH of an ordinary user does not look.
const usualPlaces = [
  '/usr/sbin',
  '/usr/bin',
  '/usr/libexec',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/local/mysql/bin',
  '/opt/homebrew/bin',
  '/opt/homebrew/opt/mariadb/bin',
  '/opt/homebrew/opt/mysql/bin',
  '/opt/homebrew/opt/redis/bin',
  '/opt/homebrew/opt/valkey/bin',
];

/**
 * Finds one of `names`: in the first folder of the PATH, or else of the usual places, that has any of them. So a user
 * with two servers chooses by the PATH.
 */
export function findBinary(names: readonly string[]): string | undefined {
  const places = [...(process.env['PATH'] ?? '').split(delimiter).filter((place) => place !== ''), ...usualPlaces];
  return places.flatMap((place) => names.map((name) => join(place, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
