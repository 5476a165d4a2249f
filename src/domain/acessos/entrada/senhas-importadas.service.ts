import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Write } from '../../escrita.ts';
import type { Resumos } from '../../usuarios/senha/resumos.service.ts';

const DO_DOCUMENTO = columns<{ cpf_cnpj: string }>('app_acessos', { cpf_cnpj: true });

/** By tax id. */
type PorDocumento = ReadonlyMap<string, string>;

/** Tax ids, of some, that have an access already: whoever chose a password there keeps it. */
async function comAcesso(de: Pick<TenantDb, 'from'>, documentos: Iterable<string>): Promise<ReadonlySet<string>> {
  const deles = de.from('app_acessos').whereIn('cpf_cnpj', [...documentos]);
  return new Set((await rowsOf(deles, DO_DOCUMENTO)).map(({ cpf_cnpj: documento }) => documento));
}

/**
 * Hashes of passwords that somebody brings along from another system, of tax ids without an access. One after the other and before any
 * write: a hash takes some 25 ms, in which no row is to be locked, and half of those that a process makes at a time are left to who signs in.
 */
export async function resumirSenhasImportadas(
  de: Pick<TenantDb, 'from'>,
  senhas: PorDocumento,
  resumos: Pick<Resumos, 'fazer'>,
): Promise<PorDocumento> {
  const prontos = new Map<string, string>();
  if (senhas.size === 0) return prontos;
  const tem = await comAcesso(de, senhas.keys());
  for (const [documento, senha] of senhas) {
    if (!tem.has(documento)) prontos.set(documento, await resumos.fazer(senha));
  }
  return prontos;
}

/** Gives accesses to those tax ids that have none; the password must be changed at the first login. */
export async function darSenhasImportadas(w: Write, prontos: PorDocumento, agora: Date): Promise<void> {
  if (prontos.size === 0) return;
  const tem = await comAcesso(w, prontos.keys());
  const linhas = [...prontos]
    .filter(([documento]) => !tem.has(documento))
    .map(([cpf_cnpj, senha_hash]) => ({ cpf_cnpj, senha_hash, senha_em: toDatabaseTime(agora), trocar_senha: 1 }));
  if (linhas.length > 0) await w.insert('app_acessos', linhas, { soughtBefore: true });
}
