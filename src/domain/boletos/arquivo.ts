import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';

const CONTEUDO = columns<{ conteudo: Buffer }>('arquivos_bancarios', { conteudo: true });
const descomprimir = promisify(gunzip);

/** A file that a bank was given, or that it gave, as it was; null once its time is over. */
export async function arquivoDoBanco(
  tenant: Pick<TenantDb, 'from'>,
  de: 'remessa_id' | 'retorno_id',
  id: number,
): Promise<Buffer | null> {
  const [row] = await rowsOf(tenant.from('arquivos_bancarios').where(de, id), CONTEUDO);
  return row === undefined ? null : descomprimir(row.conteudo);
}
