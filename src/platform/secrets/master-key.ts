import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import { KEY_BYTES } from './secrets.ts';

const FILE = 'chave-mestra';

/**
 * The master keys of the settings, the current one first. Outside production a missing one is made once, in the data folder, for all
 * processes that share it. In production it has to be set: what a key made on one machine seals, no other could open.
 *
 * @throws ConfigError in production, when there is none.
 */
export function masterKeys(config: Config): readonly Buffer[] {
  const former = (config.MALHA_CHAVE_MESTRA_ANTERIORES ?? '').split(',').filter((text) => text !== '');
  const { MALHA_CHAVE_MESTRA: current } = config;
  if (current !== undefined) return [current, ...former].map(keyFrom);
  if (config.NODE_ENV === 'production') {
    throw new ConfigError(
      'Configuração inválida: MALHA_CHAVE_MESTRA — falta, e há o que guardar cifrado. São 32 bytes em hexadecimal: openssl rand -hex 32',
    );
  }
  return [keyIn(config.MALHA_DATA_DIR), ...former.map(keyFrom)];
}

/** Those of the settings; none where production has none, for whoever does not ask that there be one. */
export function knownKeys(config: Config): readonly Buffer[] {
  return config.NODE_ENV === 'production' && config.MALHA_CHAVE_MESTRA === undefined ? [] : masterKeys(config);
}

const keyFrom = (hex: string): Buffer => Buffer.from(hex.trim(), 'hex');

function keyIn(folder: string): Buffer {
  const file = path.join(folder, FILE);
  const read = (): Buffer | undefined => {
    try {
      return keyFrom(readFileSync(file, 'utf8'));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const kept = read() ?? made(folder, file, read);
  if (kept.length !== KEY_BYTES)
    throw new ConfigError(`${file}: não é uma chave de ${KEY_BYTES} bytes em hexadecimal.`);
  return kept;
}

/** Whole or not at all, and once: of processes that start together, all take the key of the first. */
function made(folder: string, file: string, read: () => Buffer | undefined): Buffer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  writeFileSync(own, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(own);
  }
  return read() ?? Buffer.alloc(0);
}
