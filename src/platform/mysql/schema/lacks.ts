import { expressions, rowsOfSql } from '../columns.ts';
import { isDenied } from '../database.ts';
import type { Db } from '../database.ts';
import { kindOf } from './server-kind.ts';

/** What a server has to be told before it takes the schema, by the number of its error. */
const LACKS: Readonly<Record<number, string>> = {
  1290: 'Este servidor do banco só aceita leituras (read_only): rode de novo quando ele, ou o que toma o seu lugar, aceitar escritas.',
  1419: 'O servidor do banco só deixa um administrador criar gatilhos: ligue log_bin_trust_function_creators (SET GLOBAL log_bin_trust_function_creators = 1 e na configuração, em cada nó) e rode de novo.',
};

/** The server asks for a right to itself, as an administrator has. */
const NEEDS_ADMINISTRATOR = 1227;

/** By the README. */
const OLDEST = { mariadb: [10, 6], mysql: [8, 0] } as const;

const VERSION = expressions<{ version: string }>({ version: 'VERSION()' });

/** What keeps a schema from being brought up to date, in one line for the person at the terminal; undefined where it is something else. */
export function lackOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errno' in error)) return undefined;
  if (isDenied(error)) {
    const right = /\b([A-Z][A-Z ]*[A-Z]) command denied/.exec(error.message)?.[1];
    const which = right === undefined ? '' : ` (falta-lhe ${right})`;
    return `O esquema do banco é de outra versão, e este usuário não pode mudá-lo${which}: rode malha migrate pelo dono, que precisa de GRANT ALL no banco inteiro, WITH GRANT OPTION.`;
  }
  if (Number(error.errno) === NEEDS_ADMINISTRATOR) {
    const rights = /\bthe (.+?) privilege/.exec(error.message)?.[1] ?? 'SUPER';
    return `O servidor do banco pede para isto um direito de administrador, que o dono não tem (um destes: ${rights}): conceda-o, ou rode malha migrate por quem o tem.`;
  }
  return LACKS[Number(error.errno)];
}

/** Says of a server that is older than the oldest with which the schema is tried; null of the others. */
export function tooOld(version: string): string | null {
  const kind = kindOf(version);
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [oldestMajor, oldestMinor] = OLDEST[kind];
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `O servidor do banco é ${kind === 'mariadb' ? 'MariaDB' : 'MySQL'} ${version.split('-')[0]}: o Malha precisa de MySQL 8.0 ou MariaDB 10.6, ou de um mais novo.`;
}

/** @throws Error where the server is too old. */
export async function refuseOldServer(db: Db): Promise<void> {
  const [row] = await rowsOfSql(db, VERSION, (list) => `SELECT ${list}`);
  const complaint = tooOld(row?.version ?? '');
  if (complaint !== null) throw new Error(complaint);
}
