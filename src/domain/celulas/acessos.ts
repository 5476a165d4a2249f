import { insertLiterals, literalsInTurns } from '../../platform/mysql/copy/copy.ts';
import type { Slice } from '../../platform/mysql/copy/copy.ts';
import { shapeOf } from '../../platform/mysql/copy/shape.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { gravarEm } from './situacao.ts';
import type { Lado } from './situacao.ts';

const TABELA = 'acessos_a_dados';
/** What began before the provider was only read may have been noted after the last copy. */
const FOLGA_MS = 60_000;

/**
 * Takes along who saw whose data while a provider was only read: look-ups are answered and noted in the old cell until it lets go. The new one
 * has rows of its own by then, which stay.
 *
 * @param soLeituraDesde - when the provider began to be only read
 */
export async function levarAcessos(origem: Db, para: Lado, provedorId: number, soLeituraDesde: Date): Promise<void> {
  const forma = await shapeOf(origem, TABELA);
  const fatia: Slice = {
    table: TABELA,
    from: `${TABELA} t`,
    where: 't.provedor_id = ? AND t.ocorrido_em >= ?',
    values: [provedorId, toDatabaseTime(new Date(soLeituraDesde.getTime() - FOLGA_MS))],
    key: ['t.id'],
    inPlace: true,
  };
  for await (const literais of literalsInTurns(origem, fatia, forma)) {
    if (literais.length > 0) await gravarEm(para, async (trx) => insertLiterals(trx, fatia, forma, literais));
  }
}
