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
  const tenants = Array.from({ length: count }, () => PROVIDER_ID);
  return createKeysOf(dataset, tenants, permissoes, true);
}

/** One new key for each provider that is named, by its place in the list. */
export async function createKeysOf(
  dataset: Dataset,
  tenants: readonly number[],
  permissoes: readonly string[] = ['clientes:leitura'],
  instead = false,
): Promise<string[]> {
  const keys = tenants.map((provedorId) => ({ provedorId, text: gerarChave(provedorId) }));
  const db = dataset.open(1);
  try {
    if (instead) {
      await db('chaves_api')
        .whereNull('revogada_em')
        .update({ revogada_em: toDatabaseTime(new Date()) });
    }
    await db.batchInsert(
      'chaves_api',
      keys.map(({ provedorId, text }) => ({
        provedor_id: provedorId,
        nome: 'bancada',
        inicio: inicioDaChave(text),
        hash: Buffer.from(lerChave(text)?.hash ?? '', 'hex'),
        permissoes: JSON.stringify(permissoes),
        limite_por_minuto: LIMITE_MAXIMO,
      })),
      500,
    );
  } finally {
    await db.destroy();
  }
  return keys.map(({ text }) => text);
}
