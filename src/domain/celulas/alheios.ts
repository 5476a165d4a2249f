import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { EntradaInvalida } from '../erros.ts';
import { travarLogins } from '../rede/acesso/acesso.service.ts';

/** The most names in one statement. */
const POR_VEZ = 900;

const DO_NAS = columns<{ nasipaddress: string; provedor_id: number }>('provedores_nas', {
  nasipaddress: true,
  provedor_id: true,
});
const DO_LOGIN = columns<{ login: string; provedor_id: number }>('contratos', { login: true, provedor_id: true });
const ENDERECO = expressions<{ nasipaddress: string }>({ nasipaddress: 'nasipaddress' });

/** Addresses of a provider's NASes, by which FreeRADIUS's rows are found. */
export async function enderecosDosNas(db: Db, provedorId: number): Promise<string[]> {
  const servidores = await rowsOf(
    db('provedores_nas').where({ provedor_id: provedorId }).orderBy('nasipaddress'),
    ENDERECO,
  );
  return servidores.map(({ nasipaddress }) => nasipaddress);
}

/**
 * Refuses a provider whose NASes, or some of them, another one has in a cell: sessions are found by the address alone, so his would be taken
 * for this one's, and replaced.
 *
 * @throws EntradaInvalida that names the NAS and the other provider
 */
export async function recusarNasAlheios(db: Db, provedorId: number, enderecos: readonly string[]): Promise<void> {
  if (enderecos.length === 0) return;
  const deOutros = db('provedores_nas')
    .whereIn('nasipaddress', [...enderecos])
    .whereNot({ provedor_id: provedorId });
  const [um] = await rowsOf(deOutros.limit(1), DO_NAS);
  if (um === undefined) return;
  throw new EntradaInvalida(`a célula de destino já tem o NAS ${um.nasipaddress}, do provedor ${um.provedor_id}`);
}

/**
 * The same of logins, by which alone passwords and groups are found.
 *
 * @throws EntradaInvalida that names the login and the other provider
 */
export async function recusarLoginsAlheios(db: Db, provedorId: number, logins: readonly string[]): Promise<void> {
  for (let n = 0; n < logins.length; n += POR_VEZ) {
    const deOutros = db('contratos')
      .whereIn('login', logins.slice(n, n + POR_VEZ))
      .whereNot({ provedor_id: provedorId });
    const [um] = await rowsOf(deOutros.limit(1), DO_LOGIN);
    if (um === undefined) continue;
    throw new EntradaInvalida(`a célula de destino já tem o login ${um.login}, do provedor ${um.provedor_id}`);
  }
}

/**
 * The same, once whoever asks for one of them at this moment has it or not: until the transaction ends nobody else gets one.
 *
 * @throws EntradaInvalida that names the login and the other provider
 */
export async function exigirLogins(trx: Db, provedorId: number, logins: readonly string[]): Promise<void> {
  await travarLogins(trx, logins);
  await recusarLoginsAlheios(trx, provedorId, logins);
}

/**
 * Refuses to write by the address of a NAS, unless it is this provider's in the cell: until the transaction ends nobody else gets it.
 *
 * @throws EntradaInvalida that names the NAS
 */
export async function exigirNas(trx: Db, provedorId: number, endereco: string): Promise<void> {
  const [row] = await rowsOf(trx('provedores_nas').where({ nasipaddress: endereco }).forShare(), DO_NAS);
  if (row?.provedor_id === provedorId) return;
  await recusarNasAlheios(trx, provedorId, [endereco]);
  throw new EntradaInvalida(
    `o NAS ${endereco} deixou de ser do provedor ${provedorId} enquanto ele se copiava: repita`,
  );
}
