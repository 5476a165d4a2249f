import { gerarChave, inicioDaChave, lerChave } from '../../src/domain/chaves/chave.ts';
import { LIMITE_MAXIMO } from '../../src/domain/chaves/chaves.types.ts';
import { toDatabaseTime } from '../../src/platform/mysql/database.ts';
import type { Dataset } from './dataset.ts';
import { PROVIDER_ID } from './dataset.ts';

/** New API keys with the highest limit. Those of the run before are revoked: what they wrote still names them. */
export async function createKeys(
  dataset: Dataset,
  count: number,
  permissoes: readonly string[] = ['clientes:leitura'],
): Promise<string[]> {
  const keys = Array.from({ length: count }, () => gerarChave(PROVIDER_ID));
  const db = dataset.open(1);
  try {
    await db('chaves_api')
      .whereNull('revogada_em')
      .update({ revogada_em: toDatabaseTime(new Date()) });
    await db.batchInsert(
      'chaves_api',
      keys.map((key) => ({
        provedor_id: PROVIDER_ID,
        nome: 'bancada',
        inicio: inicioDaChave(key),
        hash: Buffer.from(lerChave(key)?.hash ?? '', 'hex'),
        permissoes: JSON.stringify(permissoes),
        limite_por_minuto: LIMITE_MAXIMO,
      })),
      500,
    );
  } finally {
    await db.destroy();
  }
  return keys;
}
