import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { READ_TIMEOUT_MS, createTenantDb } from '../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import { COLUNAS_DE_PROVEDOR, comProvedor, paraProvedor } from '../provedores/provedores.types.ts';
import type { Receptor, ReceptorComProvedor } from './receptores.types.ts';

interface ReceptorRow {
  id: number;
  nome: string;
  ips_permitidos: string | string[] | null;
  criado_em: string;
  revogado_em: string | null;
}

const DO_RECEPTOR = columns<ReceptorRow>('receptores_pix', {
  id: true,
  nome: true,
  ips_permitidos: true,
  criado_em: true,
  revogado_em: true,
});

/** Receivers of one provider, the revoked ones included, by id. */
export async function listarReceptores(db: Db, provedorId: number): Promise<Receptor[]> {
  const receptores = createTenantDb(db, provedorId).from('receptores_pix').orderBy('id');
  return (await rowsOf(receptores, DO_RECEPTOR)).map(paraReceptor);
}

/** Writes a receiver; resolves to its id. */
export async function gravarReceptor(
  write: TenantWriter,
  novo: Pick<Receptor, 'nome' | 'ipsPermitidos' | 'criadoEm'> & { tokenHash: Buffer },
): Promise<number> {
  return write.insert('receptores_pix', {
    nome: novo.nome,
    token_hash: novo.tokenHash,
    ips_permitidos: novo.ipsPermitidos === null ? null : JSON.stringify(novo.ipsPermitidos),
    criado_em: toDatabaseTime(novo.criadoEm),
  });
}

/** Marks a receiver revoked; resolves to how many there were to revoke. */
export async function gravarRevogacao(write: TenantWriter, id: number, instante: Date): Promise<number> {
  return write.update('receptores_pix', (query) => void query.where({ id }).whereNull('revogado_em'), {
    revogado_em: toDatabaseTime(instante),
  });
}

/** The look-up that comes before any tenant is known: a secret's hash leads to its receiver, and that to its tenant. */
export async function buscarReceptorPorHash(db: Db, tokenHash: Buffer): Promise<ReceptorComProvedor | null> {
  const achado = db('receptores_pix')
    .join('provedores', 'provedores.id', 'receptores_pix.provedor_id')
    .where('receptores_pix.token_hash', tokenHash)
    .whereNull('receptores_pix.revogado_em')
    .timeout(READ_TIMEOUT_MS)
    .modify(comProvedor);
  const [row] = await rowsOf(achado, COLUNAS_DE_PROVEDOR, DO_RECEPTOR);
  return row === undefined ? null : { receptor: paraReceptor(row), provedor: paraProvedor(row) };
}

function paraReceptor(row: ReceptorRow): Receptor {
  return {
    id: row.id,
    nome: row.nome,
    ipsPermitidos: row.ips_permitidos === null ? null : jsonColumn<string[]>(row.ips_permitidos),
    criadoEm: fromDatabaseTime(row.criado_em),
    revogadoEm: row.revogado_em === null ? null : fromDatabaseTime(row.revogado_em),
  };
}
