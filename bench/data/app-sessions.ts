import { randomBytes } from 'node:crypto';
import { resumoDoToken, sortearTokens } from '../../src/domain/acessos/sessoes/token.regras.ts';
import { toDatabaseTime } from '../../src/platform/mysql/database.ts';
import type { Dataset } from './dataset.ts';
import { PROVIDER_ID } from './dataset.ts';
import { cpfOf } from './rows.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Sessions of the app whose tokens do not run out while a bench goes on, in place of those of the run before. */
export async function createAppSessions(
  dataset: Dataset,
  subscribers: number,
  each: number,
  passwordHash: string | null = null,
): Promise<string[]> {
  const db = dataset.open(1);
  const now = new Date();
  const today = toDatabaseTime(now);
  const tomorrow = toDatabaseTime(new Date(now.getTime() + DAY_MS));
  try {
    for (const table of ['app_tokens', 'app_sessoes', 'app_codigos', 'app_acessos']) await db(table).delete();
    await db.batchInsert(
      'app_acessos',
      Array.from({ length: subscribers }, (_, i) => ({
        provedor_id: PROVIDER_ID,
        id: i + 1,
        cpf_cnpj: cpfOf(i + 1),
        senha_hash: passwordHash,
        senha_em: today,
      })),
      500,
    );
    const sessions = Array.from({ length: subscribers * each }, (_, i) => ({
      provedor_id: PROVIDER_ID,
      id: i + 1,
      acesso_id: 1 + (i % subscribers),
      aparelho: 'bancada',
      rede: '127.0.0.1',
      criada_em: today,
      limite_em: tomorrow,
      usada_em: today.slice(0, 10),
      vale_ate: tomorrow,
    }));
    await db.batchInsert('app_sessoes', sessions, 500);
    const pairs = sessions.map(({ id }) => sortearTokens(PROVIDER_ID, id));
    await db.batchInsert(
      'app_tokens',
      pairs.map(({ access, refresh }, i) => ({
        provedor_id: PROVIDER_ID,
        sessao_id: i + 1,
        geracao: 1,
        nonce: randomBytes(32),
        refresh_hash: resumoDoToken(refresh),
        access_hash: resumoDoToken(access),
        criado_em: today,
        access_ate: tomorrow,
        refresh_ate: tomorrow,
        confirmado_em: today,
      })),
      500,
    );
    return pairs.map(({ access }) => access);
  } finally {
    await db.destroy();
  }
}
