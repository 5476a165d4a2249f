import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../../provedores/provedores.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { COLUNAS_DE_SESSAO, paraSessao } from './sessoes.types.ts';
import type { Dono, Sessao } from './sessoes.types.ts';

interface TokenRow {
  token_id: number;
  access_ate: string;
  confirmado_em: string | null;
}

/** Of a subscriber's session; null of a session of the staff. */
interface DoAcessoRow {
  acesso_cpf_cnpj: string | null;
  trocar_senha: number | null;
  desativado_em: string | null;
}

const DO_TOKEN = columns<TokenRow>('app_tokens', {
  token_id: 'app_tokens.id',
  access_ate: true,
  confirmado_em: true,
});

const DO_ACESSO = columns<DoAcessoRow>('app_acessos', {
  acesso_cpf_cnpj: 'app_acessos.cpf_cnpj',
  trocar_senha: true,
  desativado_em: true,
});

export interface TokenAchado {
  readonly id: number;
  readonly accessAte: Date;
  readonly confirmado: boolean;
  readonly sessao: Sessao;
  /** Somebody of the staff, or a subscriber with what is to be known of his access. */
  readonly quem:
    | { readonly usuarioId: number }
    | {
        readonly acessoId: number;
        readonly cpfCnpj: string;
        readonly trocarSenha: boolean;
        readonly desativado: boolean;
      };
  readonly provedor: Provedor;
}

/** The look-up that comes before any tenant is known to be right: an access token's hash leads to its session and its provider. */
export async function buscarTokenPorHash(db: Db, hash: string): Promise<TokenAchado | null> {
  const achado = db('app_tokens')
    .join('app_sessoes', sameTenant('app_tokens', 'sessao_id', 'app_sessoes', 'id'))
    .leftJoin('app_acessos', sameTenant('app_sessoes', 'acesso_id', 'app_acessos', 'id'))
    .join('provedores', 'provedores.id', 'app_tokens.provedor_id')
    .where('app_tokens.access_hash', Buffer.from(hash, 'hex'))
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(achado, DO_TOKEN, DO_ACESSO, COLUNAS_DE_SESSAO, COLUNAS_DE_PROVEDOR);
  if (row === undefined) return null;
  return {
    id: row.token_id,
    accessAte: fromDatabaseTime(row.access_ate),
    confirmado: row.confirmado_em !== null,
    sessao: paraSessao(row),
    quem:
      row.acesso_id === null
        ? { usuarioId: row.usuario_id ?? 0 }
        : {
            acessoId: row.acesso_id,
            cpfCnpj: row.acesso_cpf_cnpj ?? '',
            trocarSenha: row.trocar_senha === 1,
            desativado: row.desativado_em !== null,
          },
    provedor: paraProvedor(row),
  };
}

/** Sessions that were not ended and still hold, the newest hundred first; or one of them, however old it is. */
export async function listarSessoes(tenant: TenantDb, dono: Dono, agora: Date, so?: number): Promise<Sessao[]> {
  const doDono = 'acessoId' in dono ? 'app_sessoes_acesso' : 'app_sessoes_usuario';
  const abertas = tenant
    .from('app_sessoes', so === undefined ? doDono : 'PRIMARY')
    .modify((q) => void (so === undefined || q.where('app_sessoes.id', so)))
    .where('acessoId' in dono ? { acesso_id: dono.acessoId } : { usuario_id: dono.usuarioId })
    .whereNull('encerrada_em')
    .where('vale_ate', '>', toDatabaseTime(agora))
    .orderBy('id', 'desc')
    .limit(100);
  return (await rowsOf(abertas, COLUNAS_DE_SESSAO)).map(paraSessao);
}
