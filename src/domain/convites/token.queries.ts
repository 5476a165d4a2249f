import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../provedores/identidade.types.ts';
import type { Identidade, IdentidadeRow } from '../provedores/identidade.types.ts';
import { comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import type { Provedor, ProvedorRow } from '../provedores/provedores.types.ts';
import type { ConviteRow } from './convites.types.ts';
import { resumoDoSegredo } from '../segredo.ts';

export interface ConviteComProvedor {
  readonly convite: ConviteRow;
  readonly provedor: Provedor;
  readonly identidade: Identidade;
}

export const COLUNAS_DE_CONVITE = ['id', 'plano_id', 'dia_vencimento', 'situacao', 'expira_em'].map(
  (coluna) => `convites.${coluna}`,
);

/** The look-up that comes before any tenant is known: a token leads to its invite, and that to its tenant. */
export async function buscarConvitePorToken(db: Db, token: string): Promise<ConviteComProvedor | null> {
  const [row] = await db('convites')
    .join('provedores', 'provedores.id', 'convites.provedor_id')
    .where('convites.token_hash', resumoDoSegredo(token))
    .timeout(READ_TIMEOUT_MS)
    .select(COLUNAS_DE_CONVITE)
    .modify(comProvedor, db)
    .select<(ConviteRow & ProvedorRow & IdentidadeRow)[]>(COLUNAS_DE_IDENTIDADE);
  return row === undefined ? null : { convite: row, provedor: paraProvedor(row), identidade: paraIdentidade(row) };
}
