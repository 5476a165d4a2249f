import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';

/** Where secrets stand sealed under the master key, by table; a test finds a table that is missing. */
export const CIFRADOS: Readonly<Record<string, string>> = {
  importacao_arquivos: 'conteudo',
  importacao_senhas: 'senha',
  nfcom_certificados: 'pfx',
  nfcom_configuracoes: 'responsavel_csrt',
  provedores: 'fcm_conta',
  push_dispositivos: 'token',
  push_vapid: 'privada',
  requisicoes_idempotentes: 'corpo_cifrado',
  usuarios_fatores: 'segredo',
  webhooks: 'segredo',
};

const UM = expressions<{ um: number }>({ um: '1' });

/** A table in which any provider has a sealed secret; null where there is none, and no master key is needed yet. */
export async function ondeHaSegredo(db: Db): Promise<string | null> {
  for (const [tabela, coluna] of Object.entries(CIFRADOS)) {
    // What was removed stands empty.
    const [row] = await rowsOf(db(tabela).whereRaw('LENGTH(??) > 0', [coluna]).limit(1), UM);
    if (row !== undefined) return tabela;
  }
  return null;
}
