import { expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { readAddress } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { EntradaInvalida } from '../erros.ts';

const NOME = expressions<{ nome: string }>({ nome: 'name' });
const VERSAO = expressions<{ versao: string }>({ versao: 'VERSION()' });

/** `host:3306/malha`: a cell's database as operators know it, without who enters it. */
export function nomeDaCelula(url: string): string {
  const { socketPath, host, port, database } = readAddress(url);
  return `${socketPath ?? `${host.toLowerCase()}:${port}`}/${database}`;
}

/** @throws EntradaInvalida where rows of one cell cannot be those of another: it has another server or schema. */
export async function conferirCelulas(origem: Db, destino: Db): Promise<void> {
  const [daqui = '', dela = ''] = await Promise.all(
    [origem, destino].map(async (db) => {
      const [row] = await rowsOfSql(db, VERSAO, (list) => `SELECT ${list}`);
      return row?.versao ?? '';
    }),
  );
  if (daqui.includes('MariaDB') !== dela.includes('MariaDB')) {
    throw new EntradaInvalida('as duas células não têm o mesmo banco: uma é MariaDB, a outra MySQL');
  }
  const [minhas, suas] = await Promise.all(
    [origem, destino].map(async (db) => {
      const rows = await rowsOf(db('migracoes').orderBy('name'), NOME);
      return rows.map(({ nome }) => nome).join('\n');
    }),
  );
  if (minhas !== suas)
    throw new EntradaInvalida('as duas células não têm a mesma versão do esquema: rode malha migrate nas duas');
}
