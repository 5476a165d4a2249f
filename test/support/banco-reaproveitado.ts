import { Redis } from 'ioredis';
import type { Db } from '../../src/platform/mysql/database.ts';
import { ate } from './espera.ts';

/** A database that a test file has left as migrations make it; the next one takes it, instead of migrating one of its own. */
export interface BancoVazio {
  readonly nome: string;
  /** Tables that migrations fill: these are never emptied. */
  readonly preenchidas: readonly string[];
  /** What schema, rights and the filled tables looked like; see {@link feitioDe}. */
  readonly feitio: string;
}

/** Of whose turn it was to do what only one may: the migrations have left theirs, and the next who takes it writes another. */
const VEZES = 'arrendamentos';

/** Milliseconds after which a database that still has sessions is one that somebody uses. */
const LARGAR_MS = 2000;

const LIVRES = 'malha_teste:bancos_livres';

/** Only on servers that end with the tests: on others every database is dropped. */
const reaproveita = process.env['MALHA_TEST_REUSE_DATABASES'] === '1';

/** Takes one that is free, if there is any. */
export async function tomarBancoVazio(redisUrl: string): Promise<BancoVazio | null> {
  if (!reaproveita) return null;
  return noRedis(redisUrl, async (redis) => {
    const livre = await redis.lpop(LIVRES);
    return livre === null ? null : (JSON.parse(livre) as BancoVazio);
  });
}

/** A database that was just migrated, by what it must look like again to be taken by others. */
export async function lembrarBancoVazio(db: Db, nome: string): Promise<BancoVazio> {
  const preenchidas = reaproveita ? (await comLinhas(db, nome)).filter((tabela) => tabela !== VEZES) : [];
  return { nome, preenchidas, feitio: reaproveita ? await feitioDe(db, nome, preenchidas) : '' };
}

/**
 * Empties a database and leaves it to other test files.
 *
 * @returns whether it did; one that somebody still uses, or that has been altered, must be dropped.
 */
export async function devolverBanco(servidor: Db, banco: BancoVazio, redisUrl: string): Promise<boolean> {
  if (!reaproveita) return false;
  const { nome, preenchidas, feitio } = banco;
  // The server takes a moment to end a session that was closed.
  const largado = await ate(async () => !(await emUso(servidor, nome)), LARGAR_MS).then(
    () => true,
    () => false,
  );
  if (!largado || (await feitioDe(servidor, nome, preenchidas)) !== feitio) return false;
  const numeradas = await comNumeracao(servidor, nome);
  const sujas = new Set([...(await comLinhas(servidor, nome)), ...numeradas]);
  await servidor.raw('SET SESSION foreign_key_checks = 0');
  for (const tabela of sujas) {
    if (!preenchidas.includes(tabela)) await servidor.raw('TRUNCATE TABLE ??.??', [nome, tabela]);
    // It goes on after the last row, wherever a test has put it.
    else if (numeradas.includes(tabela)) await servidor.raw('ALTER TABLE ??.?? AUTO_INCREMENT = 1', [nome, tabela]);
  }
  await noRedis(redisUrl, async (redis) => redis.lpush(LIVRES, JSON.stringify(banco)));
  return true;
}

async function emUso(servidor: Db, nome: string): Promise<boolean> {
  const [processos] = await servidor.raw<{ db: string | null }[][]>('SHOW PROCESSLIST');
  return processos?.some(({ db }) => db === nome) === true;
}

/** Sums of the schema's columns, indexes, triggers and rights, and of the tables that migrations fill. */
async function feitioDe(servidor: Db, nome: string, preenchidas: readonly string[]): Promise<string> {
  const partes = await Promise.all(
    [
      ['columns', 'table_schema', 'table_name, column_name, column_type, is_nullable, column_default, extra'],
      ['statistics', 'table_schema', 'table_name, index_name, column_name, seq_in_index, non_unique'],
      ['triggers', 'trigger_schema', 'trigger_name, event_object_table, action_statement'],
      ['table_privileges', 'table_schema', 'table_name, grantee, privilege_type'],
      ['tables', 'table_schema', 'table_name, engine, table_collation'],
    ].map(async ([lista, esquema, colunas]) =>
      servidor.raw<unknown[]>(
        `SELECT COUNT(*) AS n, BIT_XOR(CRC32(CONCAT_WS('|', ${colunas}))) AS soma FROM information_schema.${lista} WHERE ${esquema} = :nome`,
        { nome },
      ),
    ),
  );
  const tabelas = preenchidas.map((tabela) => servidor.raw('??.??', [nome, tabela]).toQuery());
  const somas = tabelas.length === 0 ? [] : await servidor.raw<unknown[]>(`CHECKSUM TABLE ${tabelas.join(', ')}`);
  return JSON.stringify([partes.map(([linhas]) => linhas), somas[0] ?? null]);
}

async function tabelasDe(servidor: Db, nome: string): Promise<string[]> {
  const [linhas] = await servidor.raw<{ tabela: string }[][]>(
    "SELECT table_name AS tabela FROM information_schema.tables WHERE table_schema = ? AND table_type = 'BASE TABLE'",
    [nome],
  );
  return (linhas ?? []).map(({ tabela }) => tabela);
}

async function comLinhas(servidor: Db, nome: string): Promise<string[]> {
  const perguntas = (await tabelasDe(servidor, nome)).map((tabela) =>
    servidor.raw('SELECT ? AS tabela WHERE EXISTS (SELECT 1 FROM ??.??)', [tabela, nome, tabela]).toQuery(),
  );
  const [linhas] = await servidor.raw<{ tabela: string }[][]>(perguntas.join(' UNION ALL '));
  return (linhas ?? []).map(({ tabela }) => tabela);
}

/** Tables that have given out numbers, though the rows may be gone. */
async function comNumeracao(servidor: Db, nome: string): Promise<string[]> {
  const [versao] = await servidor.raw<{ v: string }[][]>('SELECT VERSION() AS v');
  // MySQL remembers for a day what it said.
  if (versao?.[0]?.v.includes('MariaDB') !== true)
    await servidor.raw('SET SESSION information_schema_stats_expiry = 0');
  const [linhas] = await servidor.raw<{ tabela: string }[][]>(
    'SELECT table_name AS tabela FROM information_schema.tables WHERE table_schema = ? AND auto_increment > 1',
    [nome],
  );
  return (linhas ?? []).map(({ tabela }) => tabela);
}

async function noRedis<T>(url: string, trabalho: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await trabalho(redis);
  } finally {
    redis.disconnect();
  }
}
