import { rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../provedores/identidade.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { resumoDoSegredo } from '../segredo.ts';
import { COLUNAS_DE_CONVITE } from './convites.types.ts';
import type { ConviteRow } from './convites.types.ts';

export interface ConviteComProvedor {
  readonly convite: ConviteRow;
  readonly provedor: Provedor;
  readonly identidade: Identidade;
}

/** The look-up that comes before any tenant is known: a token leads to its invite, and that to its tenant. */
export async function buscarConvitePorToken(db: Db, token: string): Promise<ConviteComProvedor | null> {
  const achado = db('convites')
    .join('provedores', 'provedores.id', 'convites.provedor_id')
    .where('convites.token_hash', resumoDoSegredo(token))
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(achado, COLUNAS_DE_CONVITE, COLUNAS_DE_PROVEDOR, COLUNAS_DE_IDENTIDADE);
  return row === undefined ? null : { convite: row, provedor: paraProvedor(row), identidade: paraIdentidade(row) };
}
