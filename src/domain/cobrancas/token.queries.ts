import { timingSafeEqual } from 'node:crypto';
import { rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, sameTenant } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../provedores/identidade.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { COLUNAS_DE_COBRANCA, COLUNAS_DE_PAGADOR, paraPagador } from './cobrancas.types.ts';
import type { CobrancaRow, Pagador } from './cobrancas.types.ts';
import { tokenBemFormado } from './token.regras.ts';

/** Half of a token finds its row: 66 bits, whose look-up may tell by its time how much of them is right. */
const TAMANHO_DO_SELETOR = 11;
/** Sorts after every character of a token. */
const ULTIMO_CARACTERE = '~';

/**
 * The look-up that comes before any tenant is known: a link's token leads to its invoice, and that to its tenant. The half that does not
 * find the row is compared in constant time, so that 66 bits stay unknown to whoever measures.
 */
export async function buscarCobrancaPorToken(
  db: Db,
  token: string,
): Promise<{ row: CobrancaRow; provedor: Provedor; identidade: Identidade; pagador: Pagador } | null> {
  if (!tokenBemFormado(token)) return null;
  const seletor = token.slice(0, TAMANHO_DO_SELETOR);
  const achadas = db('faturas')
    .join('provedores', 'provedores.id', 'faturas.provedor_id')
    .join('clientes', sameTenant('faturas', 'cliente_id', 'clientes', 'id'))
    .where('faturas.token', '>=', seletor)
    .where('faturas.token', '<', seletor + ULTIMO_CARACTERE)
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const rows = await rowsOf(
    achadas,
    COLUNAS_DE_COBRANCA,
    COLUNAS_DE_PROVEDOR,
    COLUNAS_DE_PAGADOR,
    COLUNAS_DE_IDENTIDADE,
  );
  const procurado = Buffer.from(token);
  const row = rows.find((candidata) => timingSafeEqual(Buffer.from(candidata.token.padEnd(22)), procurado));
  if (row === undefined) return null;
  return { row, provedor: paraProvedor(row), identidade: paraIdentidade(row), pagador: paraPagador(row) };
}
