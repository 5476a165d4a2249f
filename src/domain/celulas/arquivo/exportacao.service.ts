import { digestOf, literalsInTurns } from '../../../platform/mysql/copy/copy.ts';
import { shapeOf } from '../../../platform/mysql/copy/shape.ts';
import { expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { ProvedorRow } from '../../provedores/provedores.types.ts';
import { enderecosDosNas } from '../alheios.ts';
import { PROPRIAS, fatiasDe } from '../fatias.ts';
import { lerGrupos } from '../grupos.ts';
import { destinoDe, exigirQueViva } from '../situacao.ts';
import { escreverCabecalho, escreverFim, escreverLinha, escreverParte } from './formato.ts';
import type { Cabecalho } from './cabecalho.ts';
import type { Soma } from './formato.ts';

const VERSAO = expressions<{ versao: string }>({ versao: 'VERSION()' });
const MIGRACAO = expressions<{ nome: string }>({ nome: 'name' });
const PROVEDOR = expressions<Pick<ProvedorRow, 'mudanca' | 'panel_host'>>({
  mudanca: 'mudanca',
  panel_host: 'panel_host',
});

/** What a file must have in common with the database that it comes from or goes to. */
export async function bancoDe(db: Db): Promise<Pick<Cabecalho, 'banco' | 'migracao'>> {
  const [versao] = await rowsOfSql(db, VERSAO, (list) => `SELECT ${list}`);
  const [ultima] = await rowsOf(db('migracoes').orderBy('name', 'desc').limit(1), MIGRACAO);
  return { banco: versao?.versao.includes('MariaDB') === true ? 'MariaDB' : 'MySQL', migracao: ultima?.nome ?? '' };
}

/**
 * Writes everything of a provider, as it is at one moment; the cell goes on meanwhile.
 *
 * @param dono - by the schema's owner
 * @param linhas - takes the lines of the file, and resolves once all are written
 * @returns what the file holds, by slice
 * @throws EntradaInvalida where the provider does not live here
 */
export async function exportarProvedor(
  dono: Db,
  provedorId: number,
  linhas: (linhas: AsyncIterable<string>) => Promise<void>,
): Promise<readonly Soma[]> {
  return dono.transaction(
    async (db) => {
      const [provedor] = await rowsOf(db('provedores').where({ id: provedorId }), PROVEDOR);
      if (provedor === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
      exigirQueViva(provedorId, provedor.mudanca, await destinoDe(db, provedorId));
      const somas: Soma[] = [];
      await linhas(escritas(db, provedorId, provedor.panel_host, somas));
      return somas;
    },
    { isolationLevel: 'repeatable read' },
  );
}

async function* escritas(db: Db, provedorId: number, host: string, somas: Soma[]): AsyncGenerator<string> {
  const nas = await enderecosDosNas(db, provedorId);
  const grupos = await lerGrupos(db, provedorId);
  const cabecalho = escreverCabecalho({ provedor: provedorId, host, ...(await bancoDe(db)), nas, grupos });
  yield cabecalho;
  const { fatias, filas } = await fatiasDe(db, provedorId);
  for (const [parte, fatia] of [...fatias, ...filas].entries()) {
    const forma = await shapeOf(db, fatia.table, PROPRIAS[fatia.table] ?? []);
    yield escreverParte({ parte, tabela: fatia.table, colunas: forma.columns });
    for await (const literais of literalsInTurns(db, fatia, forma)) for (const um of literais) yield escreverLinha(um);
    const { n, digest } = await digestOf(db, fatia, forma);
    somas.push({ tabela: fatia.table, linhas: n, digest: digest ?? '0' });
  }
  yield escreverFim(somas, cabecalho);
}
