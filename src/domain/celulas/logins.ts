import { expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { conditions } from '../../platform/mysql/copy/copy.ts';
import type { Range, Slice } from '../../platform/mysql/copy/copy.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { gruposDoNas } from '../rede/grupos.regras.ts';

const LOGIN = expressions<{ login: string }>({ login: 'login' });
/** As slices by login name the contract. */
const DO_CONTRATO = expressions<{ login: string }>({ login: 'c.login' });

/** The most logins in one statement. */
const POR_VEZ = 900;

/** Logins of a provider's contracts. */
export async function loginsDe(db: Db, provedorId: number): Promise<string[]> {
  const rows = await rowsOf(db('contratos').where({ provedor_id: provedorId }).where('login', '<>', ''), LOGIN);
  return rows.map(({ login }) => login);
}

/** Logins that rows of a slice are about, in a range of it: no more than it has rows. */
export async function loginsDaParte(db: Db, fatia: Slice, parte: Range): Promise<string[]> {
  const { sql, values } = conditions(fatia, parte);
  const rows = await rowsOfSql(db, DO_CONTRATO, (list) => `SELECT DISTINCT ${list} FROM ${fatia.from} WHERE ${sql}`, [
    ...values,
  ]);
  return rows.map(({ login }) => login);
}

/** Those of some names that are not among others; FreeRADIUS compares without the case. */
export function semOs(nomes: readonly string[], outros: readonly string[]): string[] {
  const ficam = new Set(outros.map((nome) => nome.toLowerCase()));
  return nomes.filter((nome) => !ficam.has(nome.toLowerCase()));
}

/**
 * Takes from FreeRADIUS those of these logins that no other provider's contract has: who knows one's password would get in by it. Names are
 * compared by the server, as it does where they are asked for.
 */
export async function largarLogins(db: Db, provedorId: number, logins: readonly string[]): Promise<void> {
  for (let n = 0; n < logins.length; n += POR_VEZ) {
    const alguns = logins.slice(n, n + POR_VEZ);
    for (const tabela of ['radcheck', 'radreply', 'radusergroup']) {
      const deOutro = db('contratos').select('contratos.id').whereRaw('contratos.login = ??.username', [tabela]);
      await db(tabela)
        .whereIn('username', alguns)
        .whereNotExists(deOutro.whereNot('contratos.provedor_id', provedorId))
        .delete();
    }
  }
}

/** Takes NASes that the provider has no more from FreeRADIUS, with what blocks on them alone, as removing one does. */
export async function largarNas(db: Db, enderecos: readonly string[]): Promise<void> {
  await db('nas')
    .whereIn('nasname', [...enderecos])
    .delete();
  await db('nasreload')
    .whereIn('nasipaddress', [...enderecos])
    .delete();
  for (const tabela of ['radusergroup', 'radgroupcheck', 'radgroupreply']) {
    await db(tabela).whereIn('groupname', enderecos.flatMap(gruposDoNas)).delete();
  }
}
