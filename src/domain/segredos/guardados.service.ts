import { expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';

/** Where secrets stand sealed under the master key, by table; a test finds a table that is missing. */
export const CIFRADOS: Readonly<Record<string, string>> = {
  importacao_arquivos: 'conteudo',
  importacao_senhas: 'senha',
  nfcom_certificados: 'pfx',
  nfcom_configuracoes: 'responsavel_csrt',
  provedores: 'fcm_conta',
  psp_convenios: 'segredos',
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

const NOME_DA_CHAVE = expressions<{ id: string }>({ id: 'id' });

/**
 * The tables in which a secret stands that none of these master keys opens, by the names of the keys. The name of the one that sealed it
 * stands in the clear, after a first byte that says the form.
 *
 * @param provedorId - of this provider alone
 */
export async function tabelasFechadas(db: Db, conhecidas: readonly string[], provedorId?: number): Promise<string[]> {
  const fechadas: string[] = [];
  for (const [tabela, coluna] of Object.entries(CIFRADOS)) {
    // That of the whole service is nobody's.
    if (provedorId !== undefined && tabela === 'push_vapid') continue;
    const de = tabela === 'provedores' ? 'id' : 'provedor_id';
    const rows = await rowsOfSql(
      db,
      NOME_DA_CHAVE,
      (list) =>
        `SELECT ${list} FROM (SELECT DISTINCT LOWER(HEX(SUBSTRING(??, 2, 8))) AS id FROM ??
          WHERE LENGTH(??) > 0${provedorId === undefined ? '' : ' AND ?? = ?'}) k`,
      [coluna, tabela, coluna, ...(provedorId === undefined ? [] : [de, provedorId])],
    );
    if (rows.some(({ id }) => !conhecidas.includes(id))) fechadas.push(tabela);
  }
  return fechadas;
}
