import { ID, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { retryOnConflict } from '../../platform/mysql/conflicts.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { withLease } from '../../platform/mysql/schema/lease.ts';
import type { Lease } from '../../platform/mysql/schema/lease.ts';
import { TERMINAL, autoria } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { ProvedorRow } from '../provedores/provedores.types.ts';
import { TAGS_DE_TUDO } from '../tags.ts';

export type Mudanca = ProvedorRow['mudanca'];

const SITUACAO = expressions<Pick<ProvedorRow, 'mudanca' | 'panel_host'>>({
  mudanca: 'mudanca',
  panel_host: 'panel_host',
});

/** Where a provider goes that leaves a cell, and since when it is only read, until all that was noted since then is there; see `acessos.ts`. */
export interface Destino {
  readonly mudanca_para: string | null;
  readonly mudanca_desde: string | null;
}

const DESTINO = expressions<Destino>({ mudanca_para: 'mudanca_para', mudanca_desde: 'mudanca_desde' });
export const SEM_DESTINO: Destino = { mudanca_para: null, mudanca_desde: null };

/** A cell, and the lease by which one command alone changes the provider there. */
export interface Lado {
  readonly db: Db;
  readonly lease: Lease;
}

export async function situacaoEm(db: Db, provedorId: number) {
  const [row] = await rowsOf(db('provedores').where({ id: provedorId }), SITUACAO);
  return row;
}

/** Of a provider of this cell: another one may not know these columns yet. */
export async function destinoDe(db: Db, provedorId: number): Promise<{ para: string | null; desde: Date | null }> {
  const [row] = await rowsOf(db('provedores').where({ id: provedorId }), DESTINO);
  const { mudanca_para: para, mudanca_desde: desde } = row ?? SEM_DESTINO;
  return { para, desde: desde === null ? null : fromDatabaseTime(desde) };
}

/** Where another cell says that a provider went; null also of a release that does not write it down. */
export async function destinoNaOutra(db: Db, provedorId: number): Promise<string | null> {
  return (await db.schema.hasColumn('provedores', 'mudanca_para')) ? (await destinoDe(db, provedorId)).para : null;
}

/** That a provider is not here any more, and where it went, for whoever is at the terminal. */
export function exigirQueViva(provedorId: number, mudanca: Mudanca, { para }: { readonly para: string | null }): void {
  if (mudanca === null || mudanca === 'saindo') return;
  const onde = mudanca === 'foi' && para !== null ? `: foi para ${para}` : '';
  throw new EntradaInvalida(`provedor ${provedorId} não vive nesta célula${onde}`);
}

/**
 * Writes in a cell, unless another command has taken this one's place: this one stood still for too long, and what it knows is old. Where others'
 * locks are in the way it is tried again, so `gravar` writes nowhere else.
 */
export async function gravarEm({ db, lease }: Lado, gravar: (trx: Db) => Promise<void>): Promise<void> {
  const tudo = async (trx: Db): Promise<void> => {
    await gravar(trx);
    await lease.confirm(trx);
  };
  // Renewals of the lease are no conflict with what was read before them.
  await retryOnConflict(async () => db.transaction(tudo, { isolationLevel: 'read committed' }));
}

/**
 * Says how a provider stands in a cell, and in the same transaction what follows from it: whoever dies after it leaves nothing to be done.
 *
 * @throws Error where somebody has changed it meanwhile; then it stays as it is.
 */
export async function dizerQueEsta(
  lado: Lado,
  provedorId: number,
  de: Mudanca,
  para: Mudanca,
  destino: Partial<Destino> = {},
  anotar: (trx: Db) => Promise<void> = async () => {},
): Promise<void> {
  await gravarEm(lado, async (trx) => {
    const mudadas = await trx('provedores')
      .where({ id: provedorId })
      .whereRaw('mudanca <=> ?', [de])
      .update({ mudanca: para, ...destino });
    if (mudadas === 0) throw new Error(`a situação do provedor ${provedorId} mudou por outras mãos`);
    await anotar(trx);
    if (para === null) await avisarQueVive(trx, provedorId);
    // While it moves, all of it is answered as before.
    else if (para === 'foi' || para === 'chegou') await avisarDeTudo(trx, provedorId);
  });
}

/** Whoever copies, and whoever gives up, is alone: a second one would write over what is by then written in the new cell. */
export async function sozinho<T>(db: Db, provedorId: number, fazer: (lado: Lado) => Promise<T>): Promise<T> {
  const late = `outro comando está mudando o provedor ${provedorId}: espere que termine; se ele morreu, tente de novo em meio minuto`;
  return withLease(db, { name: `mudanca_${provedorId}`, waitSeconds: 1, late }, async (lease) => fazer({ db, lease }));
}

/** @throws EntradaInvalida where both are one cell. */
export async function sozinhoNosDois<T>(
  origem: Db,
  destino: Db,
  provedorId: number,
  fazer: (daqui: Lado, dela: Lado) => Promise<T>,
): Promise<T> {
  return sozinho(origem, provedorId, async (daqui) => {
    await exigirOutra(daqui, destino);
    return sozinho(destino, provedorId, async (dela) => fazer(daqui, dela));
  });
}

/** @throws EntradaInvalida where a cell was said that is this one, or that does not answer. */
export async function exigirOutra({ lease }: Lado, destino: Db): Promise<void> {
  const esta = await lease.standsIn(destino).catch((error: unknown) => {
    const codigo = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new EntradaInvalida(
      `MALHA_DESTINO: o banco da outra célula não responde, ou não é o de uma célula${codigo}`,
      {
        cause: error,
      },
    );
  });
  if (esta) throw new EntradaInvalida('MALHA_DESTINO é o banco desta mesma célula');
}

/** Has the processes of a cell forget what they keep of a provider, once its outbox is published. @returns the event */
export async function avisarDeTudo(db: Db, provedorId: number): Promise<number> {
  const [id = 0] = await db('eventos').insert({
    provedor_id: provedorId,
    tipo: 'alteracao',
    recurso_id: null,
    dados: null,
    etiquetas: JSON.stringify(TAGS_DE_TUDO),
  });
  return id;
}

/** Consumers of the outbox that queue a job for what somebody asked for; the queue is in each cell's own Redis. */
export const ENFILEIRAM = ['faturamento', 'importacoes'] as const;

/** The same, and jobs are queued for what people asked for before it lived here: the other cell's jobs have left it alone. */
export async function avisarQueVive(trx: Db, provedorId: number): Promise<void> {
  const evento_id = await avisarDeTudo(trx, provedorId);
  await trx('eventos_pendentes').insert(
    ENFILEIRAM.map((consumidor) => ({ provedor_id: provedorId, evento_id, consumidor })),
  );
}

const IMPORTADO = 'provedor.importado';
const ASSUMIDO = 'provedor.assumido';
/** Lines that a cell has for itself: nothing of the provider was written. */
const LINHAS_DA_CELULA = ['cache.esquecido', IMPORTADO, ASSUMIDO];
const ACAO = expressions<{ acao: string }>({ acao: 'acao' });

/** Writes down that a provider was loaded from a file, or put in service, by whoever is at the terminal. */
export async function anotarNaCelula(
  trx: Db,
  provedorId: number,
  acao: typeof IMPORTADO | typeof ASSUMIDO,
): Promise<void> {
  const { name, kind } = autoria(TERMINAL);
  await trx('auditoria').insert({
    provedor_id: provedorId,
    acao,
    recurso: 'provedor',
    recurso_id: provedorId,
    autor: name,
    ator_tipo: kind,
  });
}

/**
 * Whether what is here, and was not put in service, came in a file. Of what a move has left the newest line is another: it removes the line of
 * this cell, and if it brings the line of a file loaded elsewhere, it also brings the later one of putting that in service.
 */
export async function foiImportado(db: Db, provedorId: number): Promise<boolean> {
  const linhas = db('auditoria').where({ provedor_id: provedorId }).orderBy('id', 'desc').limit(1);
  const [ultima] = await rowsOf(linhas, ACAO);
  return ultima?.acao === IMPORTADO;
}

/**
 * Whether a cell has written of a provider what another one does not know: its newest line of the audit log is not there. Lines go along
 * with a provider, and none is deleted, so whoever has received it knows all of those that it left with.
 */
export async function gravouDepois(aqui: Db, outra: Db, provedorId: number): Promise<boolean> {
  const linhas = aqui('auditoria').where({ provedor_id: provedorId }).whereNotIn('acao', LINHAS_DA_CELULA);
  const [ultima] = await rowsOf(linhas.orderBy('id', 'desc').limit(1), ID);
  if (ultima === undefined) return false;
  const la = await rowsOf(outra('auditoria').where({ provedor_id: provedorId, id: ultima.id }), ID);
  return la.length === 0;
}
