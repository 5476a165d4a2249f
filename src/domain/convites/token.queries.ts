import type { Db } from '../../platform/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/tenant.ts';
import { COLUNAS_DE_PROVEDOR, paraProvedor } from '../provedores/provedores.types.ts';
import type { Provedor, ProvedorRow } from '../provedores/provedores.types.ts';
import type { ConviteRow } from './convites.types.ts';
import { resumoDoToken } from './token.ts';

export interface ConviteComProvedor {
  readonly convite: ConviteRow;
  readonly provedor: Provedor;
}

export const COLUNAS_DE_CONVITE = ['id', 'plano_id', 'dia_vencimento', 'situacao', 'expira_em'].map(
  (coluna) => `convites.${coluna}`,
);

/** The look-up that comes before any tenant is known: a token leads to its invite, and that to its tenant. */
export async function buscarConvitePorToken(db: Db, token: string): Promise<ConviteComProvedor | null> {
  const [row] = await db('convites')
    .join('provedores', 'provedores.id', 'convites.provedor_id')
    .join('regras_cobranca', 'regras_cobranca.provedor_id', 'provedores.id')
    .where('convites.token_hash', resumoDoToken(token))
    .timeout(READ_TIMEOUT_MS)
    .select(COLUNAS_DE_CONVITE)
    .select<(ConviteRow & ProvedorRow)[]>(COLUNAS_DE_PROVEDOR);
  return row === undefined ? null : { convite: row, provedor: paraProvedor(row) };
}
