import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import type { Chave, ChaveComProvedor, Permissao } from './chaves.types.ts';

interface ChaveRow {
  id: number;
  nome: string;
  inicio: string;
  hash: Buffer;
  permissoes: string | Permissao[];
  ips_permitidos: string | string[] | null;
  limite_por_minuto: number;
  expira_em: string | null;
  revogada_em: string | null;
  criado_em: string;
}

const DA_CHAVE = columns<ChaveRow>('chaves_api', {
  id: true,
  nome: true,
  inicio: true,
  hash: true,
  permissoes: true,
  ips_permitidos: true,
  limite_por_minuto: true,
  expira_em: true,
  revogada_em: true,
  criado_em: true,
});

/** Keys of one tenant. */
export function createChavesQueries(db: Db, provedorId: number) {
  const tenant = createTenantDb(db, provedorId);
  return {
    async listar(): Promise<Chave[]> {
      return (await rowsOf(tenant.from('chaves_api').orderBy('id'), DA_CHAVE)).map(paraChave);
    },

    /** The key's hash (hexadecimal) and record, or undefined. */
    async buscarPorId(id: number): Promise<{ hash: string; chave: Chave } | undefined> {
      const [row] = await rowsOf(tenant.from('chaves_api').where('chaves_api.id', id), DA_CHAVE);
      return row === undefined ? undefined : { hash: row.hash.toString('hex'), chave: paraChave(row) };
    },
  };
}

/** Writes a key; resolves to its id. */
export async function gravarChave(
  write: TenantWriter,
  nova: Omit<Chave, 'id' | 'criadaEm' | 'revogadaEm'> & { hash: string; criadaEm: Date },
): Promise<number> {
  return write.insert('chaves_api', {
    nome: nova.nome,
    inicio: nova.inicio,
    hash: Buffer.from(nova.hash, 'hex'),
    permissoes: JSON.stringify(nova.permissoes),
    ips_permitidos: nova.ipsPermitidos === null ? null : JSON.stringify(nova.ipsPermitidos),
    limite_por_minuto: nova.limitePorMinuto,
    expira_em: nova.expiraEm === null ? null : toDatabaseTime(nova.expiraEm),
    criado_em: toDatabaseTime(nova.criadaEm),
  });
}

/** Marks a key revoked; the first revocation's instant stays. */
export async function gravarRevogacao(write: TenantWriter, id: number, instante: Date): Promise<void> {
  await write.update('chaves_api', (query) => void query.where({ id }).whereNull('revogada_em'), {
    revogada_em: toDatabaseTime(instante),
  });
}

/** The one look-up that comes before any tenant is known: a key's hash leads to its tenant. */
export async function buscarChavePorHash(db: Db, hash: string): Promise<ChaveComProvedor | null> {
  const achada = db('chaves_api')
    .join('provedores', 'provedores.id', 'chaves_api.provedor_id')
    .where('chaves_api.hash', Buffer.from(hash, 'hex'))
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(achada, COLUNAS_DE_PROVEDOR, DA_CHAVE);
  return row === undefined ? null : { chave: paraChave(row), provedor: paraProvedor(row) };
}

function paraChave(row: ChaveRow): Chave {
  return {
    id: row.id,
    nome: row.nome,
    inicio: row.inicio,
    permissoes: jsonColumn<Permissao[]>(row.permissoes),
    ipsPermitidos: row.ips_permitidos === null ? null : jsonColumn<string[]>(row.ips_permitidos),
    limitePorMinuto: row.limite_por_minuto,
    expiraEm: row.expira_em === null ? null : fromDatabaseTime(row.expira_em),
    revogadaEm: row.revogada_em === null ? null : fromDatabaseTime(row.revogada_em),
    criadaEm: fromDatabaseTime(row.criado_em),
  };
}
