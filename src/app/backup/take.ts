import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { startPiped } from '../../local/processes/piped-command.ts';
import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import { createDatabase, readAddress } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { ranMigrations } from '../../platform/mysql/schema/migrations.ts';
import { kindOf } from '../../platform/mysql/schema/server-kind.ts';
import type { ServerKind } from '../../platform/mysql/schema/server-kind.ts';
import { findProgram, withLogin } from './client-programs.ts';
import type { ClientProgram, ServerLogin } from './client-programs.ts';
import { FILES } from './manifest.ts';
import type { LogPosition, Manifest } from './manifest.ts';

const SERVER = expressions<{ version: string; logs: number }>({ version: 'VERSION()', logs: '@@log_bin' });

/** Fast rather than small: the processors are those of a database that answers meanwhile. */
const GZIP_LEVEL = 2;

/** Where the position of the binary log is found: near the start, before the first table. */
const HEAD_BYTES = 64 * 1024;
const POSITION = /(?:MASTER|SOURCE)_LOG_FILE='([^']+)', (?:MASTER|SOURCE)_LOG_POS=(\d+)/;

export interface TakeOptions {
  /** The database, by its owner. */
  readonly url: string;
  /** A folder that does not exist yet. */
  readonly folder: string;
  readonly now: Date;
  /** As `ServerLogin` has it. */
  readonly authorities?: string | undefined;
  readonly keys: { readonly ids: readonly string[]; readonly written: readonly string[] | null };
}

/**
 * Writes the whole schema, with all rows of one moment, into a new folder, while others go on reading and writing. The folder has
 * its name only once it is whole.
 *
 * @throws Error with a line for the person at the terminal.
 */
export async function takeBackup({ url, authorities, folder, now, keys }: TakeOptions): Promise<Manifest> {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) throw new Error(`${folder} já existe.`);
  const unfinished = `${folder}.parcial-${process.pid}`;
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  const db = createDatabase({ url, pool: 1 });
  try {
    const [server] = await rowsOfSql(db, SERVER, (list) => `SELECT ${list}`);
    const { version = '', logs = 0 } = server ?? {};
    const before = await ranMigrations(db);
    const dump = join(unfinished, FILES.dump);
    const program = await findProgram('dump', kindOf(version));
    const position = await writeDump({ url, authorities }, program, logs === 1, dump);
    await refuseNewSchema(db, before);
    if (keys.written !== null) {
      writeFileSync(join(unfinished, FILES.keys), `${keys.written.join('\n')}\n`, { mode: 0o600 });
    }
    const manifest: Manifest = {
      formato: 1,
      feito_em: now.toISOString(),
      banco: readAddress(url).database,
      servidor: version,
      migracoes: before,
      bytes: statSync(dump).size,
      sha256: await digestOf(dump),
      log_binario: position,
      chaves_mestras: { ids: keys.ids, incluidas: keys.written !== null },
    };
    writeFileSync(join(unfinished, FILES.manifest), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    renameSync(unfinished, folder);
    return manifest;
  } finally {
    await db.destroy();
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function writeDump(
  server: ServerLogin,
  program: ClientProgram,
  logs: boolean,
  file: string,
): Promise<LogPosition | null> {
  return withLogin(server, program, async (login) => {
    const args = [login, ...argumentsOf(program.kind, logs), readAddress(server.url).database];
    const dump = startPiped(program.path, args);
    let head = '';
    const readHead = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        if (head.length < HEAD_BYTES) head += chunk.toString('latin1');
        done(null, chunk);
      },
    });
    try {
      await pipeline(
        dump.output,
        readHead,
        createGzip({ level: GZIP_LEVEL }),
        createWriteStream(file, { mode: 0o600 }),
      );
      await dump.ended;
    } catch (error) {
      dump.kill();
      throw error;
    }
    const [, arquivo, posicao] = POSITION.exec(head) ?? [];
    if (!logs) return null;
    if (arquivo === undefined || posicao === undefined) throw new Error('O dump não diz onde estava o log binário.');
    return { arquivo, posicao: Number(posicao) };
  });
}

/** One snapshot, without locks; the rows of a table in one transaction, so that an empty table is filled by sorting. */
function argumentsOf(kind: ServerKind, logs: boolean): string[] {
  return [
    '--single-transaction',
    '--quick',
    '--skip-lock-tables',
    '--skip-add-locks',
    '--no-autocommit',
    '--triggers',
    '--routines',
    '--hex-blob',
    '--no-tablespaces',
    '--default-character-set=utf8mb4',
    '--max-allowed-packet=1G',
    ...(kind === 'mysql' ? ['--set-gtid-purged=OFF', '--column-statistics=0'] : []),
    ...(logs ? [kind === 'mysql' ? '--source-data=2' : '--master-data=2'] : []),
  ];
}

/** A change of a table is not part of a snapshot. */
async function refuseNewSchema(db: Db, before: readonly string[]): Promise<void> {
  if ((await ranMigrations(db)).join() === before.join()) return;
  throw new Error('O esquema mudou enquanto o backup era feito (malha migrate): faça-o de novo.');
}

export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
